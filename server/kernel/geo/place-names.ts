/**
 * Normalizes the many spellings of a place: "St. Louis", "saint louis" and "SAINT-LOUIS" are the same city. Both sides of every comparison
 * go through `normalizeName`.
 */

const words = new Map(
  Object.entries({
    st: 'saint',
    ste: 'sainte',
    ft: 'fort',
    mt: 'mount',
    mtn: 'mountain',
    hts: 'heights',
    spgs: 'springs',
    twp: 'township',
    jct: 'junction',
    ctr: 'center',
    vly: 'valley',
    bch: 'beach',
    afb: 'air force base',
  }),
)

/** Abbreviated directions, only at the start of a name: "N. Adams", "S. Lake Tahoe". */
const directions = new Map(Object.entries({ n: 'north', s: 'south', e: 'east', w: 'west' }))

/** Lowercase, no accents or punctuation, single spaces, abbreviations expanded. May be empty. */
export function normalizeName(text: string): string {
  const plain = /^[a-zA-Z ]*$/.test(text) ? text.toLowerCase() : simplify(text)
  const parts = plain.split(' ').filter((part) => part !== '')
  const expanded = parts.map((part, i) => words.get(part) ?? (i === 0 && parts.length > 1 ? directions.get(part) : undefined) ?? part)
  return expanded.join(' ')
}

function simplify(text: string): string {
  return text
    .normalize('NFD')
    .toLowerCase()
    .replace(/([a-z]{2})\.(?=[a-z])/g, '$1 ')
    .replace(/[\u0300-\u036f'’‘ʻ`.]/g, '')
    .replace(/&/g, ' and ')
    .replace(/[^a-z0-9]+/g, ' ')
}

/** For exact lookups: "Mc Lean" equals "McLean", "La Grange" equals "LaGrange", "North Attleborough" equals "North Attleboro". */
export const compactName = (text: string): string => compact(normalizeName(text))

/** `compactName` of a name that is already normalized. */
export const compact = (normalized: string): string => normalized.replaceAll(' ', '').replace(/borough$/, 'boro')

/** `denver-co`, `winston-salem-nc`. */
export function placeSlug(name: string, state: string): string {
  return `${nameSlug(name)}-${state.toLowerCase()}`
}

/** `denver`, `winston-salem`. */
export const nameSlug = (name: string): string => simplify(name).trim().replaceAll(' ', '-')
