"""The site: guides from docs/, the reference from DocC's archive, and a landing page. Tools/site builds it."""
