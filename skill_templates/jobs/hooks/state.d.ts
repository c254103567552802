// What register.js keeps in the client's memory over a hot reload, per agent.
export type Asked = { prompt: string | null; cwd: string; run: string | null; index: number | null; owner: string }

declare module 'claude-code' {
  interface PluginState {
    'cc-agents': { asked: Asked }
  }
}
