/** A language model of somebody else. What it answers is text that nobody vouches for: whoever asks checks it. */
export type Ai = {
  /** Who is sent the words, as people are told: `api.example.com`. */
  readonly host: string
  /** @throws AiUnavailable when there is no usable answer, for whatever reason */
  complete(request: AiRequest): Promise<string>
}

export type AiRequest = {
  /** What it is to do. */
  system: string
  messages: readonly { role: 'user' | 'assistant'; content: string }[]
  maxTokens: number
  signal?: AbortSignal
}

/** No answer came, or none that can be read. Its message says why, without a word of what was asked or answered. */
export class AiUnavailable extends Error {
  override readonly name = 'AiUnavailable'
}
