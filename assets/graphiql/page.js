// Starts GraphiQL with the key that the reader enters above it.
//
// The key is sent as x-api-key with every request, is kept for this tab only, and may also come in the address after #key=, from
// where it is taken away at once: what follows a # is never sent to a server.
'use strict';

(() => {
  const STORED_KEY = 'amlgraph:key';

  const EXAMPLES = `# Three queries on the sample network
# (amlgraph serve --sample).
# The triangle runs one of them. Ctrl-Space completes,
# and the book on the left is the documentation.

# A busy account: 260 payments (the busiest have 480).
# Where does its money go?
query BusyAccount {
  account(id: "account-209417382672728412") {
    name
    transferredTo(first: 5) {
      edges {
        count
        total
        currency
        node {
          name
        }
      }
    }
  }
}

# 432 transfers from 195 accounts run into this one.
# Where does the money go, three steps on?
query MoneyOnward {
  account(id: "account-4846154674027364838") {
    name
    transferredTo(first: 5) {
      edges {
        total
        node {
          name
          transferredTo(first: 5) {
            edges {
              total
              node {
                name
                transferredTo(first: 5) {
                  edges {
                    total
                    node {
                      name
                    }
                  }
                }
              }
            }
          }
        }
      }
    }
  }
}

# Money that comes back: these two accounts pay each other.
query RoundTrip {
  account(id: "account-4843902874213680659") {
    name
    transferredTo(first: 20) {
      edges {
        total
        node {
          id
          name
        }
      }
    }
  }
  back: account(id: "account-4865294972443690517") {
    name
    transferredTo(first: 20) {
      edges {
        total
        node {
          id
          name
        }
      }
    }
  }
}
`;

  function takeKeyFromAddress() {
    const key = new URLSearchParams(location.hash.slice(1)).get('key');
    if (key) {
      sessionStorage.setItem(STORED_KEY, key);
      history.replaceState(null, '', location.pathname + location.search);
    }
  }

  function storedKey() {
    return sessionStorage.getItem(STORED_KEY) ?? '';
  }

  function show(text) {
    document.getElementById('state').textContent = text;
  }

  function explain(status) {
    if (status === 401) {
      show(storedKey() ? 'The server does not know this key.' : 'Enter a key to begin.');
    } else if (status === 403) {
      show('This key may not do that.');
    } else {
      show('');
    }
  }

  async function fetchWithKey(url, options) {
    const key = storedKey();
    const headers = key ? { ...options.headers, 'x-api-key': key } : options.headers;
    const response = await fetch(url, { ...options, headers });
    explain(response.status);
    return response;
  }

  const root = ReactDOM.createRoot(document.getElementById('graphiql'));

  // Another key may see another schema, so GraphiQL starts afresh with it; its tabs are kept in the browser.
  function render() {
    const fetcher = GraphiQL.createFetcher({ url: '/graphql', fetch: fetchWithKey });
    root.render(React.createElement(GraphiQL, { key: storedKey(), fetcher, defaultQuery: EXAMPLES }));
  }

  document.getElementById('credentials').addEventListener('submit', (event) => {
    event.preventDefault();
    sessionStorage.setItem(STORED_KEY, document.getElementById('key').value.trim());
    render();
  });

  takeKeyFromAddress();
  document.getElementById('key').value = storedKey();
  render();
})();
