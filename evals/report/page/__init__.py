"""The report as one HTML file: templates, styles and script beside the code, figures as inline SVG."""
