'use strict';

const PAUSE_MILLIS = 2000;

/** In place of a node: vbuckets that were given up. */
const NOBODY = '-';

/** Returns how many vbuckets a set such as "0-340,512" has. */
function size(vbuckets) {
  return (vbuckets || '')
    .split(',')
    .filter((range) => range !== '')
    .map((range) => range.split('-').map(Number))
    .reduce((sum, [first, last = first]) => sum + last - first + 1, 0);
}

function told(vbuckets) {
  return vbuckets ? `${size(vbuckets)}: ${vbuckets}` : 'none';
}

/** Returns what is going on, in sentences. */
function news({mode, live, members, out, rebalancing, change}) {
  const sentences = [
    `${members.filter((node) => live.includes(node)).length} of ${members.length} nodes alive, mode ${mode}.`,
  ];
  if (rebalancing) {
    const {id, type} = change.message;
    sentences.push(`Change ${id} (${type}) is going on, phase ${change.phase.toLowerCase()}.`);
    if (change.cancel) {
      sentences.push('It is being stopped.');
    }
  } else if (change && change.error) {
    sentences.push(`The last change failed: ${change.error}`);
  }
  if (out.length > 0) {
    sentences.push(`Taken out though alive: ${out.join(', ')}. The next rebalance that people ask for takes them in.`);
  }
  return sentences;
}

function state(node, {live, members, out}) {
  if (!live.includes(node)) {
    return 'not alive';
  }
  return members.includes(node) ? 'alive' : out.includes(node) ? 'taken out' : 'not part yet';
}

/** Returns the cells of the table of nodes, row by row. */
function nodeRows(topology, tasks) {
  const task = tasks.tasks.find(({detailedProgress}) => detailedProgress) || {detailedProgress: {}};
  const done = task.detailedProgress;
  const progress = (part) => task.type !== 'task-prepared' ? `${Math.floor(part * 100)} %` : part < 1 ? 'preparing' : 'prepared';
  const names = new Set([
    ...topology.live,
    ...topology.members,
    ...Object.keys(topology.planned),
    ...Object.keys(topology.before),
  ]);
  return [...names].sort().map((node) => [
    node,
    state(node, topology),
    told(topology.planned[node]),
    topology.rebalancing ? told(topology.before[node]) : '',
    node in done ? progress(done[node]) : '',
  ]);
}

/** Returns the cells of the table of functions, row by row; the last is an address. */
function functionRows(ownership) {
  return Object.entries(ownership.functions).map(([name, {owned, unsettled, ownerless}]) => {
    const [simple, scope, bucket] = name.split('/').reverse();
    const query = new Map([['name', simple], ['bucket', bucket], ['scope', scope]]);
    const parameters = [...query].filter(([, value]) => value !== undefined)
      .map(([parameter, value]) => `${parameter}=${encodeURIComponent(value)}`);
    return [
      name,
      Object.entries(owned).filter(([node]) => node !== NOBODY)
        .map(([node, vbuckets]) => `${node} ${told(vbuckets)}`).join('; ') || 'none',
      told(unsettled),
      told(ownerless),
      `getAggOwnedVbsForApp?${parameters.join('&')}`,
    ];
  });
}

function row(cells) {
  const line = document.createElement('tr');
  cells.forEach((cell, i) => {
    const made = document.createElement(i === 0 ? 'th' : 'td');
    if (i === 0) {
      made.scope = 'row';
    }
    made.append(cell);
    line.append(made);
  });
  return line;
}

function link(address) {
  const made = document.createElement('a');
  made.href = address;
  made.textContent = 'by worker';
  return made;
}

function show(id, elements) {
  document.getElementById(id).replaceChildren(...elements);
}

function paragraphs(sentences) {
  return sentences.map((sentence) => {
    const made = document.createElement('p');
    made.textContent = sentence;
    return made;
  });
}

/** Changes the news only when they changed: whoever has them read aloud would hear them again and again. */
function tell(sentences) {
  if (document.getElementById('news').textContent !== sentences.join('')) {
    show('news', paragraphs(sentences));
  }
}

async function ask(path) {
  const answer = await fetch(path);
  if (!answer.ok) {
    throw new Error(`${path} answered ${answer.status}`);
  }
  return answer.json();
}

/** Returns what is known; metakv-service tells of nodes even when no eventing node is left to tell of owners. */
async function answers(asking) {
  const [topology, tasks, ownership] = await Promise.all([
    asking('api/v1/topology'),
    asking('api/v1/topology/tasks'),
    asking('getOwnershipMap').catch(() => ({functions: {}, silent: true})),
  ]);
  const sentences = news(topology);
  if (ownership.silent) {
    sentences.push('No eventing node says who owns what.');
  }
  return {sentences, nodes: nodeRows(topology, tasks), functions: functionRows(ownership)};
}

async function look() {
  try {
    const {sentences, nodes, functions} = await answers(ask);
    tell(sentences);
    show('nodes', nodes.map(row));
    show('functions', functions.map((cells) => row([...cells.slice(0, -1), link(cells.at(-1))])));
  } catch (failure) {
    tell([`The cluster does not answer: ${failure.message}. Asking again.`]);
  }
  setTimeout(look, PAUSE_MILLIS);
}

if (typeof document !== 'undefined') {
  look();
}
