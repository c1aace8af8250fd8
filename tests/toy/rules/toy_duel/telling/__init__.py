"""What reports and receipts say."""
