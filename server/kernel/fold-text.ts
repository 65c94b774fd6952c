/** Lowercase, no accents, plain apostrophes: "bouffee" finds "Bouffée", and "nature’s" finds "Nature's". */
export function foldText(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[‘’ʻ`´]/g, "'")
    .toLowerCase()
}

/** For text in the pattern of a `like` with the escape character `\`, PostgreSQL's default. */
export const escapeLike = (text: string): string => text.replace(/[\\%_]/g, '\\$&')

// Keys for comparing license names and numbers, both in the register and in user input.

const legalForms = /^(llc|l\.l\.c\.|inc|inc\.|corp|corp\.|llp|lllp|pllc|ltd|ltd\.)[.,]?$/i

/** The same for all spellings of a name: ignores case, punctuation and legal form. */
export function nameKey(name: string): string {
  const words = foldText(name)
    .replace(/&/g, ' and ')
    .replace(/['.]/g, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .split(' ')
  const proper = words.filter((word) => !legalForms.test(word))
  return (proper.length > 0 ? proper : words).join(' ')
}

/** Only uppercase letters and digits: `402R-00794` and `402r 00794` are the same license. */
export const licenseNumberKey = (number: string): string => number.toUpperCase().replace(/[^A-Z0-9]/g, '')
