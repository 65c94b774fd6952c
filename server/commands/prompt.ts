import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { UserFacingError } from '#server/error-line.ts'

export const isInteractive = Boolean(process.stdin.isTTY && process.stdout.isTTY)

export const ask = (question: string, signal: AbortSignal): Promise<string> => prompt(question, signal, true)

export const askSecret = (question: string, signal: AbortSignal): Promise<string> => prompt(question, signal, false)

async function prompt(question: string, signal: AbortSignal, isShown: boolean): Promise<string> {
  let isEchoing = true
  const output = new Writable({
    write(chunk, _encoding, done) {
      if (isEchoing) process.stdout.write(chunk)
      done()
    },
  })
  const stop = new AbortController()
  const lines = createInterface({ input: process.stdin, output, terminal: true })
  // In this mode Ctrl-C is ours to handle, and on Ctrl-D (end of input) the question would wait forever.
  lines.once('SIGINT', () => stop.abort())
  lines.once('close', () => stop.abort())
  try {
    const answer = lines.question(question, { signal: AbortSignal.any([signal, stop.signal]) })
    isEchoing = isShown
    return await answer
  } catch (error) {
    if ((error as Error).name === 'AbortError') throw new UserFacingError('Nothing was changed.')
    throw error
  } finally {
    if (!isShown || stop.signal.aborted) process.stdout.write('\n')
    lines.close()
  }
}

/** For scripts: `echo "$PASSWORD" | npm run …`. Empty if there is no input. */
export async function firstLineOfInput(): Promise<string> {
  let text = ''
  for await (const chunk of process.stdin) {
    text += chunk
    if (text.includes('\n')) break
  }
  return text.split(/\r?\n/)[0] as string
}
