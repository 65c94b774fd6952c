import type { LiveEvents } from '#contracts/live.ts'

/** A signal for the pages that people have open, regardless of the process they are connected to. */
export type LiveSignal =
  | { kind: 'notifications'; userIds: string[] }
  /** These people's conversation changed: a message arrived or was read, or a request was accepted or declined. */
  | { kind: 'messages'; userIds: string[]; conversationId: string }
  /** These people no longer see the message. */
  | { kind: 'deletedMessage'; userIds: string[]; conversationId: string; messageId: string }
  /** Messages of this conversation are no longer shown to these people, or are shown again. */
  | { kind: 'changedMessages'; userIds: string[]; conversationId: string }
  /** `who` is the ID of the person or business that is typing to these people. */
  | { kind: 'typing'; userIds: string[]; conversationId: string; who: string }
  /** A post was published, and its notifications are being created. */
  | { kind: 'post'; postId: string }
  /** Some of these people's sessions have ended, so the pages opened with them close. */
  | { kind: 'sessions'; userIds: string[] }
  /** Signals may have been lost, so everyone connected to this process gets the current state. */
  | { kind: 'gap' }

export type LiveConnection = { userId: string; send<Name extends keyof LiveEvents>(event: Name, data: LiveEvents[Name]): void }

/** Carries signals between processes. A lost signal only causes a delay, because pages read the state on every connection. */
export type LiveBus = {
  publish(signal: LiveSignal): Promise<void>
  /** Called for every signal from any process, including this one. */
  onSignal(listener: (signal: LiveSignal) => void): void
  start(): Promise<void>
  stop(): Promise<void>
}
