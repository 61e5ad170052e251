// Starts Swagger UI on this server's own document.
//
// A key is entered under Authorize, is sent as x-api-key with every request that is tried, and is kept for this tab only. It may also come in the
// address after #key=, from where it is taken away at once: what follows a # is never sent to a server. GraphiQL has the same one.
'use strict';

(() => {
  const STORED_KEY = 'amlgraph:key';

  function takeKeyFromAddress() {
    const key = new URLSearchParams(location.hash.slice(1)).get('key');
    if (key) {
      sessionStorage.setItem(STORED_KEY, key);
      history.replaceState(null, '', location.pathname + location.search);
    }
  }

  takeKeyFromAddress();
  const ui = SwaggerUIBundle({
    url: '/openapi.json',
    dom_id: '#console',
    deepLinking: true,
    docExpansion: 'none',
    filter: true,
    displayRequestDuration: true,
    tryItOutEnabled: true,
    // It would be asked by sending it the document.
    validatorUrl: null,
    onComplete() {
      const key = sessionStorage.getItem(STORED_KEY);
      if (key) {
        ui.preauthorizeApiKey('x-api-key', key);
      }
    },
  });
})();
