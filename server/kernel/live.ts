import type { LiveEvents } from '#contracts/live.ts'

/** A signal to open pages, on whichever process they are connected to. */
export type LiveSignal =
  | { kind: 'notifications'; userIds: string[] }
  /** These people's conversation changed: a message arrived, was read, or a request was answered. */
  | { kind: 'messages'; userIds: string[]; conversationId: string }
  /** `who` (a person's or business's ID) is typing to these people. */
  | { kind: 'typing'; userIds: string[]; conversationId: string; who: string }
  /** A post was published, and followers of its business or author were notified. */
  | { kind: 'post'; postId: string }
  /** Sessions of these people have ended, so their open pages close. */
  | { kind: 'sessions'; userIds: string[] }
  /** Signals may have been lost, so everyone connected to this process gets the current state. */
  | { kind: 'gap' }

export type LiveConnection = { userId: string; send<Name extends keyof LiveEvents>(event: Name, data: LiveEvents[Name]): void }

/** Carries signals between processes. A lost signal only causes a delay, because pages read the state on every connection. */
export type LiveBus = {
  publish(signal: LiveSignal): Promise<void>
  /** Called for every signal of every process, including this one. */
  onSignal(listener: (signal: LiveSignal) => void): void
  start(): Promise<void>
  stop(): Promise<void>
}
