export const meta = {
  name: 'implement-and-review',
  description: 'One job implements, another one reviews its report.',
  phases: [{ title: 'Implement' }, { title: 'Review' }],
}

const relay = (header, task, options) => agent(`${header}\n---\n${task}\n`, { agentType: 'relay:job', ...options })

const parse = (block) => Object.fromEntries(block.trim().split('\n').map((line) => {
  const end = line.indexOf(': ')
  return [line.slice(0, end), line.slice(end + 2)]
}))

phase('Implement')
const built = parse(await relay('backend: codex\nmode: write', 'Implement it.', { label: 'implement' }))
if (built.state !== 'completed') return [built]
phase('Review')
const reviewed = parse(await relay('backend: codex\nmode: read-only', `Review ${built.report}.`, { label: 'review', phase: 'Review' }))
return [built, reviewed]
