import { ApiError } from '../../lib/api-error.ts'

/** Whether a call failed because the server was not reached: no network, no answer in time, or somebody else's answer. */
export function isNoAnswer(error: unknown): boolean {
  if (error instanceof ApiError) return error.code === null || error.status === 503
  return error instanceof TypeError || error instanceof SyntaxError || (error instanceof DOMException && error.name === 'TimeoutError')
}
