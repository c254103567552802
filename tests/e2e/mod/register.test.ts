// The code hook alone, in the client's own test kit: every call on `$` is answered by a stand-in of the test.
import { expect, test } from 'claude-code/testing'

const BLOCK = 'state: completed\njob: a1\n---\nthe report\n'
const STEP = { turnId: 't', index: 0, model: 'm', messageCount: 1 }
const MODEL = { turnId: 't', index: 0, answer: 'the model', toolUses: [], stopReason: 'end_turn', usage: null }

// A machine whose runtime gives `waits` one after the other, and a client that is in no relay.
function machine(on, waits) {
  const calls = []
  on('env.get', () => ({ value: undefined }))
  on('session.root', () => ({ value: '/work' }))
  on('session.id', () => ({ value: 's1' }))
  on('agent.list', () => ({ value: [] }))
  on('agent.spawn', () => ({ model: 'm', agentId: 'a1' }))
  on('process.run', (_, e) => {
    calls.push(e.argv.slice(4))
    return { value: { exitCode: 0, stdout: '[RELAY-JOB] a1 started\n', stderr: '' } }
  })
  on('process.spawn', async function* (_, e) {
    calls.push(e.argv.slice(4))
    const { text, code, signal = null } = waits.shift()
    for (const part of text) yield { stream: 'stdout', text: part }
    return { value: { code, signal } }
  })
  on('turn.step', async function* () {
    yield { kind: 'text', index: 0, text: MODEL.answer }
    yield { kind: 'stop', stopReason: 'end_turn', usage: null }
    return MODEL
  })
  return calls
}

async function spawn($, more = {}) {
  const event = { tool_use_id: 'u', prompt: 'mode: write\n---\nDo it.', description: 'd', background: false, fork: false }
  await $.agent.spawn({ ...event, subagentType: 'cc-agents:job', parentModel: 'm', ...more })
}

async function answer($, agentId) {
  let text = ''
  for await (const piece of $.turn.step({ ...STEP, agentId })) if (piece.kind === 'text') text += piece.text
  return text
}

test('a job is started once with its prompt and place, and its bytes come back', async ($, on) => {
  const calls = machine(on, [{ text: ['state: comp', 'leted\njob: a1\n---\n', 'the report\n'], code: 0 }])
  await spawn($, { workflow: { runId: 'wf_1', agentIndex: 2 } })

  expect(await answer($, 'a1')).toBe(BLOCK)
  expect(calls).toEqual([
    ['start', '--id', 'a1'],
    ['wait', 'a1'],
  ])
})

test('a wait that signals end is begun again', async ($, on) => {
  const lost = { text: ['state: compl'], code: null, signal: 'SIGTERM' }
  machine(on, [lost, lost, { text: [BLOCK], code: 1 }])
  await spawn($)

  expect(await answer($, 'a1')).toBe(BLOCK)
})

test('an answer that is no block is told as an error on one line', async ($, on) => {
  machine(on, [{ text: ['[RELAY-HALT] There is no job a1.\nhint: list them\n'], code: 2 }])
  await spawn($)

  const lines = (await answer($, 'a1')).split('\n')
  expect(lines[0]).toBe('state: failed')
  expect(lines[1]).toBe('job: a1')
  expect(lines[9]).toBe('error: [RELAY-HALT] There is no job a1.')
  expect(lines.length).toBe(11)
})

test('every other agent, and the main conversation, is left to the model', async ($, on) => {
  const calls = machine(on, [])
  await spawn($, { subagentType: 'general-purpose' })

  expect(await answer($, 'a1')).toBe('the model')
  expect(await answer($, undefined)).toBe('the model')
  expect(calls).toEqual([])
})
