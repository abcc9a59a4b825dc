// Keeps the page up to date: an event stream says that something has changed, and the page is fetched anew and merged in place.
// Everything works without this file, by reloading.
(() => {
  'use strict';

  const live = () => document.getElementById('live');
  const byId = id => document.getElementById(id);

  // ---- merging -------------------------------------------------------------------------------------------------

  const IS_TEXT = node => node.nodeType !== Node.ELEMENT_NODE;

  function mergeAttributes(old, fresh) {
    for (const {name, value} of [...fresh.attributes]) {
      if (old.getAttribute(name) !== value) {
        old.setAttribute(name, value);
      }
    }
    for (const {name} of [...old.attributes]) {
      if (!fresh.hasAttribute(name)) {
        old.removeAttribute(name);
      }
    }
    // What a person is typing stays, and so does what the query says otherwise.
    if (old !== document.activeElement && old instanceof HTMLInputElement) {
      old.value = fresh.getAttribute('value') ?? '';
    }
  }

  // Elements are recognized by their id, others by their place, so that scrolling, focus and selection survive.
  function mergeChildren(old, fresh) {
    const known = new Map([...old.children].filter(child => child.id).map(child => [child.id, child]));
    let place = old.firstChild;
    for (const wanted of [...fresh.childNodes]) {
      let match = null;
      if (wanted.id) {
        match = known.get(wanted.id) ?? null;
      } else if (place && !place.id && place.nodeName === wanted.nodeName) {
        match = place;
      }
      if (match && match.nodeName === wanted.nodeName) {
        if (match === place) {
          place = place.nextSibling;
        } else {
          old.insertBefore(match, place);
        }
        merge(match, wanted);
      } else {
        old.insertBefore(wanted, place);
      }
    }
    while (place) {
      const next = place.nextSibling;
      place.remove();
      place = next;
    }
  }

  function merge(old, fresh) {
    if (IS_TEXT(old)) {
      if (old.nodeValue !== fresh.nodeValue) {
        old.nodeValue = fresh.nodeValue;
      }
      return;
    }
    if (old instanceof HTMLSelectElement && old === document.activeElement) {
      return;
    }
    mergeAttributes(old, fresh);
    mergeChildren(old, fresh);
  }

  htmx.defineExtension('morph', {
    isInlineSwap: style => style === 'morph',
    handleSwap: (style, target, fragment) => {
      if (style !== 'morph') {
        return false;
      }
      const fresh = fragment.querySelector('#live');
      const focused = document.activeElement?.id;
      if (fresh) {
        merge(target, fresh);
      }
      // A row that has moved has lost the focus on its way.
      if (focused && document.activeElement?.id !== focused) {
        byId(focused)?.focus({preventScroll: true});
      }
      return [target];
    },
  });

  // ---- the connection ------------------------------------------------------------------------------------------

  const SILENCE = 6000;

  // Tells the page's own requests from those of a person's click.
  const REFRESH = 'X-Refresh';

  let stream = null;
  let streamUrl = null;
  let lastHeard = Date.now();
  let lostAt = null;
  let fetching = false;
  let again = false;
  let ahead = 0;

  const time = millis => new Date(millis).toISOString().substring(11, 19) + ' UTC';
  const serverNow = () => Date.now() + ahead;

  function readClock() {
    ahead = Number(live().dataset.now) - Date.now();
  }

  function heard() {
    lastHeard = Date.now();
    if (lostAt !== null) {
      lostAt = null;
      fetchAnew();
    }
    show('live', 'Live');
  }

  function lost() {
    if (lostAt === null) {
      lostAt = Date.now();
      show('lost', `Connection lost at ${time(serverNow())}; trying again. What is shown is of ${time(Number(live().dataset.now))}`);
    }
  }

  function show(state, text) {
    const line = byId('connection');
    if (line.dataset.state !== state) {
      line.dataset.state = state;
      byId('connection-text').textContent = text;
      byId('connection-age').textContent = '';
    }
  }

  async function fetchAnew() {
    if (fetching) {
      again = true;
      return;
    }
    fetching = true;
    try {
      await htmx.ajax('GET', location.pathname + location.search,
          {source: live(), target: '#live', select: '#live', swap: 'morph', headers: {[REFRESH]: 'true'}});
    } catch {
      // Said by htmx:sendError, below.
    } finally {
      fetching = false;
    }
    if (again) {
      again = false;
      setTimeout(fetchAnew, 200);
    }
  }

  function connect() {
    const url = live().dataset.live;
    if (stream && stream.readyState !== EventSource.CLOSED && url === streamUrl) {
      return;
    }
    stream?.close();
    streamUrl = url;
    const opened = new EventSource(url);
    stream = opened;
    let failures = 0;
    opened.addEventListener('open', () => { failures = 0; });
    opened.addEventListener('changed', () => { heard(); fetchAnew(); });
    opened.addEventListener('alive', heard);
    opened.addEventListener('error', () => {
      if (opened !== stream) {
        return;
      }
      failures++;
      if (opened.readyState === EventSource.CLOSED) {
        // Refused, so that the browser doesn't try again by itself.
        lost();
        setTimeout(connect, 2000);
      } else if (failures > 1) {
        // Once is nothing: the server ends a stream now and then, and the browser opens the next one.
        lost();
      }
    });
  }

  document.addEventListener('htmx:afterSettle', () => { readClock(); connect(); });
  // The page of a lease that isn't known is an answer as well: shown, and no sign of a lost connection.
  document.addEventListener('htmx:beforeSwap', event => {
    if (event.detail.xhr.status === 404) {
      event.detail.shouldSwap = true;
      event.detail.isError = false;
    }
    // A person has clicked since this refresh was asked for: its rows are those of another query.
    const {requestConfig, pathInfo} = event.detail;
    if (requestConfig.headers[REFRESH] && pathInfo.requestPath !== location.pathname + location.search) {
      event.detail.shouldSwap = false;
      again = true;
    }
  });
  document.addEventListener('htmx:sendError', lost);
  document.addEventListener('htmx:responseError', lost);
  addEventListener('pagehide', () => stream?.close());
  addEventListener('pageshow', event => { if (event.persisted) { streamUrl = null; connect(); } });

  // ---- what grows by itself ------------------------------------------------------------------------------------

  function age(millis) {
    const s = Math.max(0, Math.floor(millis / 1000));
    const two = (a, unit, b, smaller) => b === 0 ? `${a} ${unit}` : `${a} ${unit} ${b} ${smaller}`;
    if (s >= 86400) { return two(Math.floor(s / 86400), 'd', Math.floor(s / 3600) % 24, 'h'); }
    if (s >= 3600) { return two(Math.floor(s / 3600), 'h', Math.floor(s / 60) % 60, 'm'); }
    if (s >= 60) { return two(Math.floor(s / 60), 'm', s % 60, 's'); }
    return `${s} s`;
  }

  function tick() {
    if (Date.now() - lastHeard > SILENCE) {
      lost();
    }
    if (lostAt !== null) {
      // Nothing grows while nothing is known.
      byId('connection-age').textContent = `(${age(serverNow() - Number(live().dataset.now))} old)`;
      return;
    }
    for (const element of document.querySelectorAll('[data-since]')) {
      const text = age(serverNow() - Number(element.dataset.since));
      if (element.textContent !== text) {
        element.textContent = text;
      }
    }
    const bar = byId('validity');
    if (bar) {
      const left = Math.max(0, Math.min(bar.max, Number(bar.dataset.until) - serverNow()));
      bar.value = left;
      byId('validity-left').textContent = `${(left / 1000).toFixed(1)} s`;
    }
  }

  readClock();
  connect();
  setInterval(tick, 250);
})();
