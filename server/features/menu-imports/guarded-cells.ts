/**
 * A spreadsheet takes a cell that begins with one of these for a formula and runs it, whoever wrote it. An apostrophe in front makes
 * it text; reading takes that one off again, and writing adds one to what has some already, so that both together change nothing.
 */
const formula = /^'*[=+\-@\t\r]/
const guarded = /^'+[=+\-@\t\r]/

export const guardCell = (text: string): string => (formula.test(text) ? `'${text}` : text)
export const unguardCell = (text: string): string => (guarded.test(text) ? text.slice(1) : text)
