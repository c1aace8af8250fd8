"""What keeps a store small and safe: packs, retention, copies."""
