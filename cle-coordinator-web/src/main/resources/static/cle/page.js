// Shows /actuator/elections. An event stream reports changes; the JSON is then read anew, and the page is merged in place.
(() => {
  'use strict';

  const BASE = document.documentElement.dataset.base;
  const API = `${BASE}/actuator/elections`;
  const LINES = 50;
  const STATES = ['no-leader', 'electing', 'handing-over', 'warning', 'left-alone', 'led', 'retired'];
  const byId = id => document.getElementById(id);

  // ---- text and elements ---------------------------------------------------------------------------------------

  // Invisible and direction-changing characters are escaped, so that no name looks like another one.
  const printable = value => {
    const text = String(value);
    const shown = text.length > 500 ? text.slice(0, 500) + '…' : text;
    return shown.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, c => '\\u' + c.codePointAt(0).toString(16).padStart(4, '0'));
  };

  // Creates an element. Text becomes a text node and never markup; absent children and attributes are left out.
  function h(name, attributes, ...children) {
    const svg = ['svg', 'rect', 'title'].includes(name);
    const element = svg ? document.createElementNS('http://www.w3.org/2000/svg', name) : document.createElement(name);
    for (const [key, value] of Object.entries(attributes ?? {})) {
      if (value !== null && value !== undefined && value !== false) {
        element.setAttribute(key, key === 'title' || key === 'aria-label' ? printable(value) : value);
      }
    }
    for (const child of children.flat(Infinity)) {
      if (child !== null && child !== undefined && child !== false) {
        element.append(child instanceof Node ? child : printable(child));
      }
    }
    return element;
  }

  const count = (n, one, many = one + 's') => `${n.toLocaleString('en')} ${n === 1 ? one : many}`;
  const stateText = state => state.replace('-', ' ');
  const stateBadge = state => h('span', {class: `state ${state}`}, stateText(state));
  const split = key => [key.slice(0, key.indexOf('/')), key.slice(key.indexOf('/') + 1)];
  const leaseUrl = key => `${BASE}/leases/${split(key).map(encodeURIComponent).join('/')}`;

  function duration(millis) {
    const s = Math.max(0, millis / 1000);
    const two = (a, unit, b, smaller) => b === 0 ? `${a} ${unit}` : `${a} ${unit} ${b} ${smaller}`;
    if (s >= 86400) { return two(Math.floor(s / 86400), 'd', Math.floor(s / 3600) % 24, 'h'); }
    if (s >= 3600) { return two(Math.floor(s / 3600), 'h', Math.floor(s / 60) % 60, 'm'); }
    if (s >= 60) { return two(Math.floor(s / 60), 'm', Math.floor(s) % 60, 's'); }
    return s >= 10 || Number.isInteger(s) ? `${Math.floor(s)} s` : s >= 1 ? `${s.toFixed(1)} s` : `${Math.round(s * 1000)} ms`;
  }

  const age = since => duration(Math.floor((serverNow() - since) / 1000) * 1000);
  const ageOf = instant => h('span', {class: 'age', 'data-since': Date.parse(instant), title: `since ${instant}`}, age(Date.parse(instant)));
  const time = instant => {
    const iso = new Date(instant).toISOString();
    const today = iso.startsWith(new Date(serverNow()).toISOString().slice(0, 10));
    return h('time', {datetime: iso}, today ? iso.slice(11, 23) : iso.slice(0, 19).replace('T', ' '));
  };

  // ---- what is asked for ---------------------------------------------------------------------------------------

  const path = () => decodeURIComponent(location.pathname).slice(BASE.length).match(/^\/leases\/([^/]+)\/(.+)$/);
  const query = () => new URLSearchParams(location.search);
  function url(changes) {
    const wanted = query();
    wanted.delete('page');
    Object.entries(changes).forEach(([name, value]) => value ? wanted.set(name, value) : wanted.delete(name));
    return wanted.size ? `${BASE}/?${wanted}` : `${BASE}/`;
  }

  // ---- the replica that serves the page ------------------------------------------------------------------------

  const replica = data => [
    !data.coordinating && h('p', {class: 'notice', id: 'standby'},
        h('strong', {}, data.coordinator ? 'This replica is a standby. ' : 'No replica is known to coordinate. '),
        data.coordinator ? [h('code', {}, data.coordinator), ' coordinates; decisions and their reasons are on its page.']
          : 'Leaders continue to lead, but no coordinator elects.'),
    data.outages && h('div', {class: 'notice bad', id: 'outage', role: 'alert'},
        h('strong', {}, "The API server can't be watched. "), 'What is shown is as last seen, and elections may have to wait.',
        h('ul', {}, data.outages.map(it => h('li', {}, `${it.kind}, since `, time(it.since), `: ${it.problem}`)))),
  ];

  // ---- overview ------------------------------------------------------------------------------------------------

  function overview(data) {
    const wanted = query();
    const [q, namespace, group] = ['q', 'namespace', 'group'].map(name => wanted.get(name) ?? '');
    const state = STATES.includes(wanted.get('state')) ? wanted.get('state') : '';
    // A lease of a number of shards that candidates only wait for has no line: they wait as a whole.
    const waitsAsGroup = lease => data.groups[lease.group]?.waiting && shardOf(lease, data) === null && lease.state !== 'retired';
    const all = Object.entries(data.leases).map(([key, lease]) => ({key, ...lease})).filter(lease => !waitsAsGroup(lease));
    const current = all.filter(lease => lease.state !== 'retired');
    const text = lease => [lease.key, lease.holder, lease.next, lease.strategy.name, lease.waitingFor, ...lease.problems].join(' ').toLowerCase();
    const matching = all.filter(lease => (lease.state === 'retired') === (state === 'retired')
        && (!state || lease.state === state) && (!group || lease.group === group)
        && (!namespace || split(lease.key)[0] === namespace) && (!q || text(lease).includes(q.toLowerCase())));
    const eachLease = group || state === 'retired';
    const rows = matching.filter(lease => eachLease || !data.groups[lease.group]?.shards).sort(order(wanted));
    const groups = [...new Set(matching.filter(lease => lease.state !== 'retired').map(lease => lease.group))]
        .filter(key => key && (!group || key === group)).sort();
    const pages = Math.max(1, Math.ceil(rows.length / LINES));
    const page = Math.min(pages, Math.max(1, Number(wanted.get('page')) || 1));
    return [
      h('h1', {}, 'Who leads'), replica(data), attention(data, current),
      h('nav', {class: 'chips', 'aria-label': 'Filter by state'}, STATES.map(it => {
        const n = all.filter(lease => lease.state === it).length;
        return (it !== 'retired' || n > 0) && h('a', {id: `state-${it}`, class: `chip ${it}${n ? '' : ' none'}`,
          href: url({state: it === state ? '' : it}), 'aria-current': it === state ? 'true' : null},
            h('span', {class: 'count'}, n.toLocaleString('en')), ' ', stateText(it));
      })),
      h('form', {id: 'filter', class: 'filter', role: 'search', 'aria-label': 'Leases'},
          h('label', {for: 'q'}, 'Search'),
          h('input', {id: 'q', name: 'q', type: 'search', autocomplete: 'off', spellcheck: 'false', maxlength: 253,
            placeholder: 'lease, leader, strategy or problem', value: q}),
          h('p', {class: 'matching', id: 'matching', role: 'status'}, (matching.length === current.length ? ''
            : `${matching.length.toLocaleString('en')} of `) + count(current.length, 'lease'))),
      (namespace || group) && h('ul', {class: 'applied', id: 'applied', 'aria-label': 'Filters'},
          namespace && h('li', {}, 'namespace ', h('strong', {}, namespace), ' ', h('a', {id: 'any-namespace', href: url({namespace: ''})}, 'all namespaces')),
          group && h('li', {}, 'group ', h('strong', {}, group), ' ', h('a', {id: 'any-group', href: url({group: ''})}, 'all leases'))),
      page === 1 && groups.length > 0 && state !== 'retired' && h('section', {class: 'groups', id: 'groups', 'aria-labelledby': 'groups-title'},
          h('h2', {id: 'groups-title'}, 'Groups'), groups.slice(0, 20).map(key => groupCard(data, key)),
          groups.length > 20 && h('p', {class: 'none'}, `and ${count(groups.length - 20, 'more group')}; search for them.`)),
      rows.length > 0 && leaseTable(rows.slice((page - 1) * LINES, page * LINES), wanted, namespace),
      current.length > 0 && matching.length === 0 && h('p', {class: 'empty'}, 'No lease matches. ', h('a', {id: 'clear', href: `${BASE}/`}, 'Show all')),
      pages > 1 && h('nav', {class: 'pages', 'aria-label': 'Pages'},
          page > 1 && h('a', {id: 'page-before', rel: 'prev', href: url({page: page - 1})}, 'Before'),
          h('span', {}, `Page ${page} of ${pages}`),
          page < pages && h('a', {id: 'page-after', rel: 'next', href: url({page: page + 1})}, 'Next')),
    ];
  }

  const SORTS = {
    state: ['State', lease => String(STATES.indexOf(lease.state))],
    lease: ['Lease', lease => lease.key],
    leader: ['Leader', lease => lease.holder ?? '\uffff'],
    since: ['For', lease => String(9e15 - Date.parse(lease.since ?? 0))],
    strategy: ['Strategy', lease => lease.strategy.name],
    candidates: ['Candidates', lease => String(lease.candidateCount).padStart(9, '0')],
  };

  function order(wanted) {
    const by = (SORTS[wanted.get('sort')] ?? SORTS.state)[1];
    const sign = wanted.get('order') === 'desc' ? -1 : 1;
    const compare = (a, b) => a < b ? -1 : a > b ? 1 : 0;
    return (a, b) => sign * compare(by(a), by(b)) || compare(a.key, b.key);
  }

  // The kind of a problem: its text without versions, times, numbers and objects' keys.
  const kind = text => text.replace(/\S*[0-9/]\S*?(?=[,;:.)]*(\s|$))/g, '…');

  // What needs attention, with one line for all leases that have the same kind of problem.
  function attention(data, current) {
    const lines = new Map();
    const add = (text, state, key, since) => {
      const id = state + kind(text);
      const line = lines.get(id) ?? {text, state, keys: [], since};
      line.text = line.keys.length ? kind(text) : text;
      line.keys.push(key);
      line.since = [line.since, since].filter(Boolean).sort()[0];
      lines.set(id, line);
    };
    current.forEach(lease => {
      if (lease.state === 'no-leader') {
        add(`waiting for ${lease.waitingFor}`, lease.state, lease.key, lease.since);
      }
      lease.problems.forEach(problem => add(problem, 'warning', lease.key));
    });
    Object.entries(data.groups).filter(([, group]) => group.waiting).forEach(([key, group]) =>
      add(waitingText(group), 'warning', key));
    const troubled = new Set([...lines.values()].flatMap(line => line.keys)).size;
    const shown = [...lines.values()].sort((a, b) => STATES.indexOf(a.state) - STATES.indexOf(b.state) || b.keys.length - a.keys.length);
    const one = line => data.groups[line.keys[0]] ? url({group: line.keys[0], state: ''}) : leaseUrl(line.keys[0]);
    return h('section', {id: 'attention', class: troubled ? 'attention' : 'attention good', 'aria-labelledby': 'attention-title'},
        h('h2', {id: 'attention-title'}, troubled === 1 ? '1 lease needs attention' : troubled ? `${troubled.toLocaleString('en')} leases need attention`
          : current.length ? 'Nothing needs attention' : data.synced && !data.outages ? 'There are no leases yet. Start a candidate, and it appears here.'
          : 'No lease has been seen'),
        troubled > 0 && h('ul', {}, shown.slice(0, 8).map((line, place) => h('li', {}, stateBadge(line.state),
            h('a', {id: `attention-${place}`, href: line.keys.length === 1 ? one(line) : url({state: line.state})},
              line.keys.length === 1 ? line.keys[0] : count(line.keys.length, 'lease')), ' ', line.text,
            line.since && [line.keys.length === 1 ? ', for ' : ', the longest for ', ageOf(line.since)]))),
        shown.length > 8 && h('p', {}, `and ${count(shown.length - 8, 'more problem')}; their leases come first below.`));
  }

  const leaseTable = (rows, wanted, namespace) => h('table', {class: 'lines leases', id: 'leases'},
      h('caption', {class: 'hidden'}, 'Leases'),
      h('thead', {}, h('tr', {}, Object.entries(SORTS).map(([name, [title]]) => {
        const sorted = (wanted.get('sort') ?? 'state') === name;
        const descending = sorted && wanted.get('order') === 'desc';
        return h('th', {scope: 'col', id: `column-${name}`, class: `col-${name}`, 'aria-sort': sorted ? descending ? 'descending' : 'ascending' : null},
            h('a', {id: `sort-${name}`, href: url({sort: name, order: sorted && !descending ? 'desc' : ''})}, title));
      }), h('th', {scope: 'col', class: 'col-next'}, 'Next'))),
      h('tbody', {}, rows.map(lease => {
        const [ns, name] = split(lease.key);
        const led = lease.holder && lease.state !== 'no-leader';
        return h('tr', {id: `lease-${encodeURIComponent(lease.key)}`},
            h('td', {}, stateBadge(lease.state)),
            h('th', {scope: 'row', title: lease.key}, h('a', {id: `link-${encodeURIComponent(lease.key)}`, href: leaseUrl(lease.key)},
                !namespace && h('span', {class: 'ns'}, `${ns}/`), name)),
            h('td', {title: led ? lease.holder : null}, led ? h('span', {class: 'leader'}, lease.holder) : h('span', {class: 'none'}, 'none'),
                led && lease.state === 'electing' && h('small', {}, ' elected, has not begun its term')),
            h('td', {}, lease.since ? ageOf(lease.since) : h('span', {class: 'none'}, 'unknown')),
            h('td', {title: lease.strategy.source}, lease.strategy.name),
            h('td', {class: 'number'}, lease.candidateCount),
            h('td', {title: lease.next}, lease.next ?? h('span', {class: 'none'}, 'none')));
      })));

  // ---- groups --------------------------------------------------------------------------------------------------

  // Returns the place of a lease in its group, by the index of the shard; null for a shard of another number.
  function shardOf(lease, data) {
    const shards = data.groups[lease.group]?.shards;
    const prefix = `${lease.group}-${shards}-`;
    return !shards ? 0 : lease.key.startsWith(prefix) ? Number(lease.key.slice(prefix.length)) : null;
  }

  const waitingText = group => Object.entries(group.waiting)
      .map(([shards, n]) => `${count(n, 'candidate asks', 'candidates ask')} for ${shards}`).join(', ')
      + ` shards and must wait, because ${group.shards} are effective: the number changes when the last replica that asks for ${group.shards} has stopped`;

  function groupCard(data, key) {
    const group = data.groups[key];
    const size = group.shards ?? group.leases;
    const dense = size > 128;
    const members = group.shards
      ? Array.from({length: size}, (unused, i) => [`${i}`, data.leases[`${key}-${size}-${i}`]])
      : Object.entries(data.leases).filter(([, lease]) => lease.group === key).map(([name, lease]) => [split(name)[1], lease]);
    const byLeader = group.shardsByLeader ?? group.leasesByLeader;
    const leaders = Object.keys(byLeader).sort();
    const mark = i => i < 26 ? String.fromCharCode(65 + i) : mark(Math.floor(i / 26) - 1) + mark(i % 26);
    const look = i => `c${i % 6}` + (dense && Math.floor(i / 6) % 4 ? ` p${Math.floor(i / 6) % 4}` : '');
    const states = members.map(([, lease]) => lease?.state ?? 'no-leader');
    if (group.waiting) { states.push('warning'); }
    const worst = STATES.find(state => states.includes(state)) ?? 'led';
    const noun = group.shards ? 'shard' : 'lease';
    const id = encodeURIComponent(key);
    const notSpread = {};
    members.filter(([, lease]) => lease?.candidateCount && lease.strategy.name !== 'Balanced').forEach(([, lease]) => {
      const strategy = `${lease.strategy.name} (${lease.strategy.source})`;
      notSpread[strategy] = (notSpread[strategy] ?? 0) + 1;
    });
    const cell = ([name, lease]) => {
      const led = lease?.holder && ['led', 'handing-over', 'warning', 'left-alone'].includes(lease.state);
      if (!led) {
        const electing = lease?.state === 'electing';
        return h('i', {class: electing ? 'electing' : 'vacant', title: `${name}: ${electing ? 'electing' : 'no leader'}`}, dense ? null : electing ? '…' : '–');
      }
      const place = Math.max(0, leaders.indexOf(lease.holder));
      const moving = lease.state === 'handing-over';
      return h('i', {class: look(place) + (moving ? ' moving' : ''),
        title: dense && !moving ? null : `${name}: ${lease.holder}` + (moving ? `, handing over to ${lease.next ?? 'another'}` : '')}, dense ? null : mark(place));
    };
    return h('article', {id: `group-${id}`, class: `group card${dense ? ' dense' : ''}`, 'aria-labelledby': `name-${id}`},
        h('h3', {id: `name-${id}`}, h('a', {id: `link-group-${id}`, href: url({group: key, state: ''}), title: 'Show each lease'}, key), ' ', stateBadge(worst)),
        h('p', {class: 'sums'}, `${count(size, noun)}, ${group.led.toLocaleString('en')} led`,
            group.moving > 0 && [', ', h('a', {id: `moving-${id}`, href: url({group: key, state: 'handing-over'})}, `${group.moving} moving`)],
            group.withoutLeader > 0 && [', ', h('a', {id: `vacant-${id}`, class: 'vacant', href: url({group: key, state: worst === 'no-leader' ? worst : 'electing'})},
              `${group.withoutLeader.toLocaleString('en')} without a leader`)]),
        group.waiting && h('p', {class: 'problem'}, waitingText(group)),
        h('div', {class: 'strip', role: 'img', 'aria-label': `${count(size, noun)} of ${key}: ${group.led} led; ${group.moving} moving; ${group.withoutLeader} without a leader`},
            members.map(cell)),
        h('ul', {class: 'legend', 'aria-label': `Who leads ${key}`},
            leaders.slice(0, 12).map((leader, i) => h('li', {title: leader}, h('i', {class: look(i), 'aria-hidden': 'true'}, dense ? null : mark(i)), ' ',
              h('span', {class: 'leader'}, leader), ' ', h('strong', {}, byLeader[leader]))),
            leaders.length > 12 && h('li', {}, `and ${count(leaders.length - 12, 'other')}`),
            leaders.length === 0 && h('li', {class: 'none'}, 'no candidates')),
        Object.entries(notSpread).map(([strategy, n]) => h('p', {class: 'none'},
            `${n === size ? `All ${noun}s` : count(n, noun)} not spread: the best candidate leads by ${strategy}.`)));
  }

  // ---- one lease -----------------------------------------------------------------------------------------------

  function leasePage(lease) {
    const [namespace, name] = split(lease.lease);
    const led = lease.holding === 'leads' || lease.holding === 'elected';
    document.title = printable(`${lease.lease} · leader election`);
    return [
      h('nav', {class: 'path', 'aria-label': 'Path'}, h('a', {id: 'up', href: `${BASE}/`}, 'All leases'), ' / ',
          h('a', {id: 'up-namespace', href: `${BASE}/?namespace=${encodeURIComponent(namespace)}`}, namespace),
          lease.group && [' / ', h('a', {id: 'up-group', href: `${BASE}/?group=${encodeURIComponent(lease.group)}`}, split(lease.group)[1])]),
      h('h1', {}, h('span', {}, name), ' ', stateBadge(lease.state)), replica(lease),
      lease.problems.length > 0 && h('ul', {class: 'warnings', id: 'warnings', 'aria-label': 'Warnings'}, lease.problems.map(it => h('li', {}, it))),
      card('leader', 'Leader',
          h('p', {class: 'who'}, h('strong', {id: 'leader', class: led ? null : 'vacant'}, led ? lease.holder : 'No leader'),
            lease.since && [lease.holding === 'elected' ? ' was elected and has not begun its term for ' : led ? ' leads for ' : ' for ', ageOf(lease.since)]),
          lease.endOfTerm && h('p', {class: 'yields'}, 'It was asked to hand over to ', h('strong', {}, lease.preferredHolder ?? 'any other'), '.'),
          lease.waitingFor && lease.state !== 'retired' && h('p', {}, 'Waiting for ', h('span', {id: 'waiting'}, lease.waitingFor), '.'),
          lease.state === 'retired' && h('p', {id: 'retired'}, 'Retired: another number of shards is effective, so no process is to lead it.'),
          lease.holding === 'leads' && lease.heldUntil && h('div', {class: 'validity'},
            h('label', {for: 'validity'}, 'The lease expires in ', h('span', {id: 'validity-left'}, ''), ` of ${lease.leaseDuration} s unless it is renewed`),
            h('progress', {id: 'validity', max: lease.leaseDuration * 1000, 'data-until': Date.parse(lease.heldUntil)})),
          led && h('dl', {class: 'facts'},
            fact('Elected by', lease.electedBy === 'candidate-fallback' ? 'itself: no coordinator had elected a leader' : lease.electedBy ?? 'itself, without a coordinator'),
            fact('Acquired', lease.acquireTime && time(lease.acquireTime)), fact('Last renewed', lease.renewedAt && time(lease.renewedAt)),
            fact('Leaders before it', lease.transitions), fact('Next', lease.next ?? 'none')),
          led && !lease.candidates.some(it => it.name === lease.holder) && h('p', {class: 'notice'},
            'The leader is not among the candidates: it acquired the lease itself, or has withdrawn and is about to release it.')),
      card('ranking', 'Ranking', h('p', {}, 'By ', h('strong', {id: 'strategy'}, lease.strategy.name), `, ${lease.strategy.source}.`),
          lease.candidates.length ? ranking(lease) : h('p', {class: 'none'}, 'There are no candidates.')),
      card('decisions', 'Last decisions', lease.decisions.length
          ? h('ol', {class: 'decisions'}, lease.decisions.map(it => h('li', {}, time(it.time), h('span', {}, it.reason))))
          : h('p', {class: 'none'}, 'This replica has decided nothing about the lease.')),
      timeLine(lease), commands(lease, namespace, name),
    ];
  }

  const card = (id, title, ...content) => h('section', {class: 'card', id: `${id}-card`, 'aria-labelledby': `${id}-title`}, h('h2', {id: `${id}-title`}, title), content);
  const fact = (name, value) => value !== undefined && value !== null && h('div', {}, h('dt', {}, name), h('dd', {}, value));

  const ANSWERS = {acknowledged: 'acknowledged', pending: 'asked to acknowledge', silent: 'does not acknowledge', unasked: 'not asked lately'};

  const ranking = lease => h('table', {class: 'ranking', id: 'ranking'},
      h('caption', {class: 'hidden'}, 'Candidates, best first'),
      h('thead', {}, h('tr', {}, ['Rank', 'Candidate', 'Why it ranks below', 'Compatible with', 'Acknowledged', 'Pod'].map(title => h('th', {scope: 'col'}, title)))),
      h('tbody', {}, lease.candidates.slice(0, 200).map(it => {
        const holding = it.name === lease.holder ? lease.holding : null;
        const cell = (title, ...content) => h('td', {'data-title': title, class: title === 'Rank' ? 'number' : null}, content);
        return h('tr', {class: holding},
            cell('Rank', it.rank),
            h('th', {scope: 'row'}, it.name, ' ', holding && h('small', {class: 'tag'}, holding), it.binaryVersion && h('small', {class: 'version'}, ' ', it.binaryVersion),
              it.priority !== undefined && h('small', {}, ` priority ${it.priority}`)),
            cell('Why it ranks below', it.ranksBelow ?? 'ranks first'),
            cell('Compatible with', it.compatibilityVersion ?? h('span', {class: 'none'}, 'not given')),
            cell('Acknowledged', h('span', {class: `answer-${it.answer}`}, ANSWERS[it.answer] ?? it.answer),
              it.acknowledgedAt && h('small', {}, 'seen ', ageOf(it.acknowledgedAt), ' ago')),
            cell('Pod', it.pod ? split(it.pod)[1] : h('span', {class: 'none'}, 'not given')));
      })));

  // ---- time line -----------------------------------------------------------------------------------------------

  const SPANS = {'15m': 9e5, '1h': 36e5, '6h': 216e5, '1d': 864e5, '1w': 6048e5, '4w': 24192e5};

  // Returns terms and gaps, oldest first: no leader for a gap.
  function stretches(lease, now) {
    const {knownSince, withoutLeaderSince, terms} = lease.history;
    const found = [];
    let end = Date.parse(knownSince);
    for (const term of terms) {
      const from = Date.parse(term.from);
      const until = term.until ? Date.parse(term.until) : withoutLeaderSince ? Date.parse(withoutLeaderSince) : null;
      if (from > end) { found.push({from: end, until: from}); }
      found.push({holder: term.holder, from, until});
      end = until ?? now;
    }
    if (now > end) { found.push({from: end, until: null}); }
    return found;
  }

  function timeLine(lease) {
    const now = Date.parse(lease.time);
    const slug = SPANS[query().get('span')] ? query().get('span') : '';
    const known = Date.parse(lease.history.knownSince);
    const from = slug ? now - SPANS[slug] : known;
    const bars = stretches(lease, now).filter(it => (it.until ?? now) > from);
    const observed = Math.max(1, now - Math.max(known, from));
    const gaps = bars.filter(it => !it.holder);
    const vacant = gaps.reduce((all, it) => all + Math.max(0, (it.until ?? now) - Math.max(it.from, from)), 0);
    const percent = Math.floor((observed - vacant) * 100000 / observed) / 1000;
    const names = [...new Set(bars.map(it => it.holder).filter(Boolean))];
    const color = it => it.holder ? `term c${names.indexOf(it.holder) % 6}` : 'gap';
    const x = instant => Math.max(0, Math.min(1000, (instant - from) * 1000 / Math.max(1, now - from)));
    const rect = it => {
      const width = Math.max(3, x(it.until ?? now) - x(it.from));
      return h('rect', {class: color(it), x: Math.min(x(it.from), 1000 - width), y: 0, width, height: 40},
          h('title', {}, `${it.holder ?? 'no leader'} for ${duration((it.until ?? now) - it.from)}`));
    };
    const here = `${leaseUrl(lease.lease)}`;
    return card('timeline', 'Terms and gaps',
        h('nav', {class: 'spans', 'aria-label': 'How much of the past is shown'}, [...Object.keys(SPANS), ''].map(span =>
          h('a', {id: `span-${span}`, href: span ? `${here}?span=${span}` : here, 'aria-current': span === slug ? 'true' : null}, span.replace(/(?=[mhdw]$)/, ' ') || 'all'))),
        bars.length === 0 ? h('p', {class: 'none'}, 'Nothing has been seen of the lease yet.') : [
          h('p', {id: 'availability'}, 'Led for ', h('strong', {}, percent === 100 ? '100 %' : `${percent.toFixed(3)} %`), ' of ',
            known > from ? `the ${duration(observed)} that are known` : `the last ${duration(observed)}`,
            `; ${gaps.length === 0 ? 'no gap' : gaps.length === 1 ? `1 gap of ${duration(vacant)}` : `${gaps.length} gaps, ${duration(vacant)} in sum`}.`),
          h('svg', {class: 'timeline', viewBox: '0 0 1000 40', preserveAspectRatio: 'none', role: 'img', 'aria-labelledby': 'timeline-desc'},
            h('title', {id: 'timeline-desc'}, 'Terms until now; the table shows the same'),
            h('rect', {class: 'ground', x: 0, y: 0, width: 1000, height: 40}),
            // Gaps last, so that no term covers a short one.
            bars.filter(it => it.holder).map(rect), gaps.map(rect)),
          h('p', {class: 'scale'}, h('span', {}, time(from)), h('span', {}, 'now')),
          h('p', {class: 'none', id: 'known-since'}, 'Known since ', time(known),
            ': a replica of the coordinator keeps a limited number of terms in memory. The metric ', h('code', {}, 'cle_coordinator_lease_leader'), ' lasts longer.'),
          h('table', {class: 'lines terms', id: 'terms'}, h('caption', {class: 'hidden'}, 'Terms and gaps, newest first'),
            h('thead', {}, h('tr', {}, ['Leader', 'From', 'Until', 'Length'].map(title => h('th', {scope: 'col'}, title)))),
            h('tbody', {}, bars.slice(-40).reverse().map(it => h('tr', {class: it.holder ? null : 'vacant'},
              h('th', {scope: 'row', title: it.holder}, h('svg', {class: 'swatch', viewBox: '0 0 10 10', 'aria-hidden': 'true'},
                h('rect', {width: 10, height: 10, class: color(it)})), it.holder ?? 'no leader'),
              h('td', {}, time(it.from)), h('td', {}, it.until ? time(it.until) : 'now'),
              h('td', {}, it.until ? duration(it.until - it.from) : ageOf(new Date(it.from).toISOString())))))),
          bars.length > 40 && h('p', {class: 'none'}, `and ${bars.length - 40} older ones on the line`),
        ]);
  }

  // ---- kubectl -------------------------------------------------------------------------------------------------

  function commands(lease, namespace, name) {
    // Any other text could mean something to a shell.
    const safe = text => /^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/.test(text);
    if (!safe(namespace) || !safe(name)) {
      return null;
    }
    const candidates = lease.format === 'native' ? 'leasecandidates.coordination.k8s.io' : 'leasecandidates.coordination.cle.io';
    const pod = split(lease.candidates.find(it => it.name === lease.holder)?.pod ?? '/')[1];
    const annotate = `kubectl annotate lease -n ${namespace} ${name} --overwrite coordination.k8s.io/strategy`;
    const lines = [
      ['the lease and its annotations', `kubectl get lease -n ${namespace} ${name} -o yaml`],
      ['the candidates', `kubectl get ${candidates} -n ${namespace}`],
      ['what the coordinator has reported', `kubectl get events -n ${namespace} --field-selector involvedObject.kind=Lease,involvedObject.name=${name}`],
    ];
    if (safe(pod)) {
      lines.push(["the leader's log", `kubectl logs -n ${namespace} ${pod} --tail=100`]);
    }
    if (lease.format !== 'native' && lease.candidates.length > 0) {
      lines.push(['let the newest version lead (a canary), until taken back', `${annotate}=NewestCompatibilityVersion`], ['take that back', `${annotate}-`]);
    }
    if (lease.candidates.length === 0 && lease.state === 'no-leader') {
      lines.push(['may the application announce candidates? (put its ServiceAccount in place of default)',
        `kubectl auth can-i create ${candidates} -n ${namespace} --as=system:serviceaccount:${namespace}:default`]);
      lines.push(['the application was removed for good: delete its lease', `kubectl delete lease -n ${namespace} ${name}`]);
    }
    return card('commands', 'With kubectl', h('dl', {class: 'commands'}, lines.map(([purpose, line]) =>
      h('div', {}, h('dt', {}, purpose), h('dd', {}, h('code', {tabindex: 0}, line))))));
  }

  // ---- merging -------------------------------------------------------------------------------------------------

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
    // What a person is typing stays.
    if (old !== document.activeElement && old instanceof HTMLInputElement) {
      old.value = fresh.getAttribute('value') ?? '';
    }
  }

  // Elements are recognized by their id, others by their place, so that scrolling, focus and selection survive.
  function mergeChildren(old, wantedNodes) {
    const known = new Map([...old.children].filter(child => child.id).map(child => [child.id, child]));
    let place = old.firstChild;
    for (const wanted of wantedNodes) {
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
        if (match.nodeType === Node.ELEMENT_NODE) {
          mergeAttributes(match, wanted);
          mergeChildren(match, [...wanted.childNodes]);
        } else if (match.nodeValue !== wanted.nodeValue) {
          match.nodeValue = wanted.nodeValue;
        }
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

  function render(nodes) {
    const focused = document.activeElement?.id;
    mergeChildren(byId('live'), [...h('div', {}, nodes).childNodes]);
    // A row that has moved has lost the focus on its way.
    if (focused && document.activeElement?.id !== focused) {
      byId(focused)?.focus({preventScroll: true});
    }
    tick();
  }

  // ---- the connection ------------------------------------------------------------------------------------------

  const SILENCE = 6000;
  let data = null;
  let dataFor = null;
  let ahead = 0;
  let stream = null;
  let streamUrl = null;
  let lastHeard = Date.now();
  let lostAt = null;
  let fetching = false;
  let again = false;

  const serverNow = () => Date.now() + ahead;
  const clock = millis => new Date(millis).toISOString().substring(11, 19) + ' UTC';

  function show(state, text) {
    const line = byId('connection');
    if (line.dataset.state !== state) {
      line.dataset.state = state;
      byId('connection-text').textContent = text;
      byId('connection-age').textContent = '';
    }
  }

  function heard() {
    lastHeard = Date.now();
    if (lostAt !== null) {
      lostAt = null;
      load();
    }
    show('live', 'Live');
  }

  function lost() {
    if (lostAt === null) {
      lostAt = Date.now();
      show('lost', `Connection lost at ${clock(serverNow())}; trying again.`);
    }
  }

  function draw() {
    if (data && dataFor === location.pathname) {
      const lease = path();
      document.title = 'Leader election';
      byId('json').href = lease ? `${API}/${lease.slice(1).map(encodeURIComponent).join('/')}` : API;
      render(lease ? leasePage(data) : overview(data));
    }
  }

  async function load() {
    if (fetching) {
      again = true;
      return;
    }
    fetching = true;
    again = false;
    const begun = Date.now();
    const asked = location.pathname;
    const lease = path();
    try {
      const answer = await fetch(lease ? `${API}/${lease.slice(1).map(encodeURIComponent).join('/')}` : `${API}?summary=true`, {cache: 'no-store'});
      const body = await answer.json().catch(() => ({}));
      if (asked === location.pathname) {
        if (answer.ok) {
          data = body;
          dataFor = asked;
          ahead = Date.parse(data.time) - Date.now();
          draw();
        } else {
          data = null;
          notice(answer.status, lease, body.detail);
        }
      }
    } catch {
      lost();
    } finally {
      fetching = false;
      if (again || asked !== location.pathname) {
        // A large cluster's answer takes long; it isn't asked for all the time.
        setTimeout(load, asked === location.pathname ? Math.max(200, 5 * (Date.now() - begun)) : 0);
      }
    }
  }

  function notice(status, lease, detail) {
    render([h('h1', {}, status === 404 ? 'There is no such lease' : status === 503 ? "The coordinator doesn't answer" : `The request has failed (${status})`),
      h('p', {}, status === 404 ? `This coordinator knows no lease ${lease[1]}/${lease[2]}. It appears here once it exists.` : detail ?? "The coordinator's log may say why."),
      status === 503 && h('p', {}, 'Leaders continue to lead. If it stays like this, the liveness probe of the pod restarts the coordinator.'),
      h('p', {}, h('a', {id: 'up', href: `${BASE}/`}, 'All leases'))]);
  }

  function connect() {
    const lease = path();
    const wanted = lease ? `${API}/${lease.slice(1).map(encodeURIComponent).join('/')}/changes` : `${API}/changes`;
    if (stream && stream.readyState !== EventSource.CLOSED && wanted === streamUrl) {
      return;
    }
    stream?.close();
    streamUrl = wanted;
    const opened = new EventSource(wanted);
    stream = opened;
    let failures = 0;
    opened.addEventListener('open', () => { failures = 0; });
    opened.addEventListener('changed', () => { heard(); load(); });
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

  function tick() {
    if (Date.now() - lastHeard > SILENCE) {
      lost();
    }
    if (lostAt !== null) {
      // Nothing grows while nothing is known.
      byId('connection-age').textContent = data ? `What is shown is ${duration(Math.floor((serverNow() - Date.parse(data.time)) / 1000) * 1000)} old.` : '';
      return;
    }
    for (const element of document.querySelectorAll('[data-since]')) {
      const text = age(Number(element.dataset.since));
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

  // ---- links and the search ------------------------------------------------------------------------------------

  function go(to, replace) {
    history[replace ? 'replaceState' : 'pushState'](null, '', to);
    arrived();
  }

  function arrived() {
    draw();
    if (dataFor !== location.pathname) {
      load();
    }
    connect();
  }

  document.addEventListener('click', event => {
    const link = event.target.closest?.('a[href]');
    if (!link || event.defaultPrevented || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || link.hash
        || link.origin !== location.origin || !(link.pathname === `${BASE}/` || link.pathname.startsWith(`${BASE}/leases/`))) {
      return;
    }
    event.preventDefault();
    const other = link.pathname !== location.pathname;
    go(link.href);
    if (other) {
      scrollTo(0, 0);
    }
  });
  document.addEventListener('input', event => {
    if (event.target.id === 'q') {
      go(url({q: event.target.value}), true);
    }
  });
  document.addEventListener('submit', event => event.preventDefault());
  addEventListener('popstate', arrived);
  addEventListener('pagehide', () => stream?.close());
  addEventListener('pageshow', event => { if (event.persisted) { streamUrl = null; connect(); } });

  load();
  connect();
  setInterval(tick, 250);
})();
