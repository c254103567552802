// Answers every step of the agent cc-agents:job from the runtime beside this file. No model is asked.
//
// The runtime keeps what matters: prompt, block, report and the worker itself are on disk and outlive the client.
// Rules of the client that shape this text: `$` is written as $.noun.call or handed on as a plain argument; a hook
// without a .catch lets the MODEL answer when it throws; an event that a release does not know keeps the whole module
// from loading, so only those of 2.1.294 are hooked.

const TYPE = 'cc-agents:job'
const BLOCK = 'state: '
const ROUNDS = 20
const QUICK = { timeoutMs: 60000 }

const call = ($, words) => ['python3', '-I', `${$.plugin.root}/runtime/relay.py`, 'job', ...words]

// The target of a relay or job sees its user's plugins too. In there nobody starts jobs.
const nested = async $ => Boolean(await $.env.get('KNOWZCODE_RELAY_DEPTH'))

// ---- which agents are ours --------------------------------------------------------------------------------------

const known = new Map()

// The map is filled at once, since an agent's first step may follow within the same tick. The client's own memory
// outlives a hot reload of this file, which empties the map.
async function remember($, id, asked) {
  known.set(id, asked)
  await $.state.set({ plugin: 'cc-agents', key: 'asked', id }, asked)
}

// What a job was asked, or undefined where the agent is none of ours.
async function recall($, id) {
  if (id === undefined) return undefined // the main conversation
  return known.get(id) ?? (await $.state.get({ plugin: 'cc-agents', key: 'asked', id })).value
}

// ---- the runtime ------------------------------------------------------------------------------------------------

async function start($, id, asked) {
  const ran = await $.process.run(call($, ['start', '--id', id]), { ...QUICK, stdin: JSON.stringify(asked) })
  if (ran.exitCode !== 0) throw new Error(lastWords(ran))
}

// The job's answer, byte for byte. It may take days; the child only waits. Where a signal ends the child, as when the
// client's whole group gets one, the job goes on, so it is waited for again; a step that was stopped ends instead.
async function answerOf($, id, stopped) {
  for (let round = 0; round < ROUNDS && !stopped.aborted; round++) {
    const { code, stdout, stderr } = await finished($.process.spawn({ argv: call($, ['wait', id]) }))
    if (code === null) continue
    if (stdout.startsWith(BLOCK)) return stdout
    throw new Error(lastWords({ stdout, stderr }) || `the wait for the job ended with exit ${code}`)
  }
  throw new Error('the wait for the job was ended by signals')
}

async function finished(child) {
  const said = { stdout: '', stderr: '' }
  let piece = await child.next()
  for (; !piece.done; piece = await child.next()) said[piece.value.stream] += piece.value.text
  return { code: piece.value.code, ...said }
}

function lastWords({ stdout, stderr }) {
  return `${stderr}\n${stdout}`.trim().split('\n')[0].slice(0, 500)
}

// ---- a step without a model -------------------------------------------------------------------------------------

// The client takes a made-up step only when it is told thrice: text, stop, and the whole as the value returned.
async function* say(e, text) {
  yield { kind: 'text', index: 0, text }
  yield { kind: 'stop', stopReason: 'end_turn', usage: null }
  return { turnId: e.turnId, index: e.index, answer: text, toolUses: [], stopReason: 'end_turn', usage: null }
}

// A block that says why there is none of the runtime's.
function failed(id, error) {
  const sentence = `${error?.message ?? error?.kind ?? error}`.replace(/\s+/g, ' ').trim()
  const unknown = ['backend', 'model', 'effort', 'mode', 'duration', 'report', 'dir'].map(key => `${key}: unknown\n`)
  return `state: failed\njob: ${id}\n${unknown.join('')}error: ${sentence}\n`
}

// ---- messages ---------------------------------------------------------------------------------------------------

// The agent that a message is for: its id, and whether it is a job. Agents of a Workflow have no name and no type here.
async function addressee($, to) {
  const listed = (await $.agent.list()).find(agent => agent.name === to || agent.id === to)
  const id = listed ? listed.id : to
  if (listed && listed.type !== undefined) return { id, ours: listed.type === TYPE }
  return { id, ours: Boolean(await recall($, id)) }
}

async function deliver($, id, text) {
  if (text.trim() === 'cancel') {
    const ran = await $.process.run(call($, ['cancel', id]), { timeoutMs: 180000 })
    return { isDelivered: false, reason: `The message was taken as a command. ${lastWords(ran)}` }
  }
  const shown = await $.process.run(call($, ['show', id]), QUICK)
  if (shown.exitCode !== 0 || shown.stdout.startsWith(BLOCK)) return undefined // no job of ours, or one that has ended
  return {
    isDelivered: false,
    reason: `The job ${id} runs and takes no message but "cancel", which ends it. Wait for its report, then send the rest.`,
  }
}

// ---- hooks ------------------------------------------------------------------------------------------------------

export const register = on => {
  // The mark by which `knowzcode-relay doctor` knows that this client runs this file.
  on('session.start', async ($, e, next) => {
    const began = await next(e)
    if (await nested($)) return began
    const { version } = await $.session.version()
    const words = ['seen', '--by', 'hook', '--session', await $.session.id(), '--client-version', version]
    await $.process.run(call($, words), QUICK)
    return began
  }).catch(($, e, next) => next(e)) // without a mark doctor says so; a session goes on

  on('agent.spawn', { subagentType: TYPE }, async ($, e, next) => {
    if (await nested($)) return next(e)
    const asked = {
      prompt: e.resume ? null : e.prompt, // a message to a job that has ended: it answers once more
      cwd: await $.session.root(),
      run: e.workflow?.runId ?? null,
      index: e.workflow?.agentIndex ?? null,
      owner: await $.session.id(),
    }
    const began = await next(e)
    if (began.agentId !== undefined) await remember($, began.agentId, asked)
    return began
  }).catch(($, e, next) => (next.called ? next(e) : { deny: `cc-agents: ${next.error.message ?? next.error.kind}` }))

  on('turn.step', async function* ($, e, next) {
    const asked = await recall($, e.agentId)
    if (!asked) return yield* next(e)
    let ended = false
    let text
    try {
      if (asked.prompt !== null) await start($, e.agentId, asked)
      text = await answerOf($, e.agentId, next.signal)
      ended = true
    } catch (error) {
      text = failed(e.agentId, error)
      ended = !next.signal.aborted
    } finally {
      // The agent was stopped. Its step settles now and would take a call with it that began in here.
      if (!ended) $.clock.after(1, () => $.process.run(call($, ['cancel', e.agentId])))
    }
    return yield* say(e, text)
  }).catch(async function* ($, e, next) {
    if (next.called || !(await recall($, e.agentId))) return yield* next(e)
    return yield* say(e, failed(e.agentId, next.error))
  })

  on('session.send', async ($, e, next) => {
    if (await nested($)) return next(e)
    const { id, ours } = await addressee($, e.to)
    return (ours ? await deliver($, id, e.text) : undefined) ?? next(e)
  }).catch(($, e, next) =>
    next.called ? next(e) : { isDelivered: false, reason: `cc-agents: ${next.error.message ?? next.error.kind}` },
  )
}
