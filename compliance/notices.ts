/** Whether a text names a license: the very number where it is known, else anything that looks like one behind the word. */
export function namesLicense(text: string, licenseNumber: string | null): boolean {
  if (licenseNumber !== null && onlyLetters(text).includes(onlyLetters(licenseNumber))) return true
  return /\blic(?:ense|\.)?\s*(?:no\.?|number|#)?\s*:?\s*#?\s*(?=[a-z0-9-]{0,24}\d)[a-z0-9][a-z0-9-]{3,30}/.test(text)
}

const onlyLetters = (text: string) => text.toLowerCase().replace(/[^a-z0-9]/g, '')

/** Whether a text says for whom it is: "21+", "for adults 21 and over". */
export const namesAge = (text: string): boolean =>
  /\b(?:18|19|21)\s?(?:\+|and (?:up|over|older|above)|or (?:older|over)|years)|\b(?:over|ages?|aged) (?:18|19|21)\b|\badults? (?:only|18|19|21|over|use)\b|\bfor adults\b/.test(
    text,
  )
