"""What a GM can do, one module per act or pair of acts."""
