'use strict';

/* Commands on the pages are written for the default port; the reader's suite may listen on another one. */
for (const code of document.querySelectorAll('pre code')) {
  for (const text of code.childNodes) {
    if (text.nodeType === Node.TEXT_NODE) {
      text.data = text.data.replaceAll('http://localhost:8080', location.origin);
    }
  }
}
