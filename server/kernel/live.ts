import type { LiveEvents } from '../../contracts/live.ts'

/** A word to open pages, on whichever process they are connected to. */
export type LiveSignal =
  /** These people's notifications changed. */
  | { kind: 'notifications'; userIds: string[] }
  /** These people's conversation changed: a message came, one was read, a request was answered. */
  | { kind: 'messages'; userIds: string[]; conversationId: string }
  /** `who` (a person's or a business's id) types to these people. */
  | { kind: 'typing'; userIds: string[]; conversationId: string; who: string }
  /** A post went out, and with it notifications to those who follow its business or author. */
  | { kind: 'post'; postId: string }
  /** Sessions of these people have ended: pages that were open in them close. */
  | { kind: 'sessions'; userIds: string[] }
  /** Signals may have been lost on the way to this process: everybody connected to it gets the state as it is. */
  | { kind: 'gap' }

export type LiveConnection = { userId: string; send<Name extends keyof LiveEvents>(event: Name, data: LiveEvents[Name]): void }

/** Carries signals between processes. Losing one costs nothing but time: a page reads the state on every connection. */
export type LiveBus = {
  publish(signal: LiveSignal): Promise<void>
  /** Every signal, of every process, this one's own included. */
  onSignal(listener: (signal: LiveSignal) => void): void
  start(): Promise<void>
  stop(): Promise<void>
}
