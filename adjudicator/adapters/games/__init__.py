"""The games of this installation: rules code, rulebooks, forms and scenarios."""
