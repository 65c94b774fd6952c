import data from '#data/look-alikes.json' with { type: 'json' }

/**
 * Normalized text for the detectors: lowercase, with Latin letters for their look-alikes, and without invisible characters. `at[i]` is the
 * offset of character `i` in the original text, and `at[length]` is the original's length.
 */
export type Folded = { text: string; at: number[] }

/**
 * Look-alikes of Latin letters that people use to disguise words. Applied before Unicode's own table; compatibility characters are folded
 * by NFKD.
 */
const lookAlikes: Record<string, string> = {
  а: 'a',
  в: 'b',
  е: 'e',
  ё: 'e',
  з: '3',
  і: 'i',
  ї: 'i',
  ј: 'j',
  к: 'k',
  м: 'm',
  н: 'h',
  о: 'o',
  р: 'p',
  с: 'c',
  т: 't',
  у: 'y',
  х: 'x',
  ѕ: 's',
  ԁ: 'd',
  ԛ: 'q',
  ԝ: 'w',
  һ: 'h',
  ӏ: 'l',
  ь: 'b',
  п: 'n',
  г: 'r',
  и: 'u',
  α: 'a',
  β: 'b',
  γ: 'y',
  ε: 'e',
  η: 'n',
  ι: 'i',
  κ: 'k',
  ν: 'v',
  ο: 'o',
  ρ: 'p',
  σ: 'o',
  ς: 's',
  τ: 't',
  υ: 'u',
  χ: 'x',
  ω: 'w',
  ı: 'i',
  ɩ: 'i',
  ɪ: 'i',
  ɡ: 'g',
  ɑ: 'a',
  ʀ: 'r',
  ʟ: 'l',
  ɴ: 'n',
  ꜱ: 's',
  ꮖ: 'i',
  ꮑ: 'n',
  ᗩ: 'a',
  ᑕ: 'c',
  ᗴ: 'e',
  ᘜ: 'g',
  ᗰ: 'm',
  ᑎ: 'n',
  ᗝ: 'o',
  ᑫ: 'q',
  ᔕ: 's',
  ᗯ: 'w',
  '᙭': 'x',
  ᘔ: 'z',
  ᴀ: 'a',
  ʙ: 'b',
  ᴄ: 'c',
  ᴅ: 'd',
  ᴇ: 'e',
  ɢ: 'g',
  ʜ: 'h',
  ᴊ: 'j',
  ᴋ: 'k',
  ᴍ: 'm',
  ᴏ: 'o',
  ᴘ: 'p',
  ᴛ: 't',
  ᴜ: 'u',
  ᴠ: 'v',
  ᴡ: 'w',
  ʏ: 'y',
  ᴢ: 'z',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  ħ: 'h',
  ŧ: 't',
  æ: 'ae',
  œ: 'oe',
  ß: 'ss',
  þ: 'p',
  '’': "'",
  '‘': "'",
  ʼ: "'",
  '′': "'",
  '`': "'",
  '“': '"',
  '”': '"',
  '–': '-',
  '—': '-',
  '−': '-',
  '‐': '-',
  '‑': '-',
  '·': '.',
  '•': '.',
  '∙': '.',
  '․': '.',
  '…': '.',
  '×': 'x',
  '¢': 'c',
}

const confusables = new Map(Object.entries(data.letters).flatMap(([letter, alike]) => [...alike].map((each) => [each, letter])))

const dropped = /[\p{M}\p{Cf}\p{Variation_Selector}]/u
const isPlain = /^[\x20-\x40\x5b-\x7e]*$/
/** Squared and circled letters and flag letters, most of which NFKD doesn't fold. */
const enclosed: readonly (readonly [first: number, last: number])[] = [
  [0x1f130, 0x1f149],
  [0x1f150, 0x1f169],
  [0x1f170, 0x1f189],
  [0x1f1e6, 0x1f1ff],
]

function foldCharacter(character: string): string {
  const code = character.codePointAt(0) as number
  for (const [first, last] of enclosed) if (code >= first && code <= last) return String.fromCharCode(97 + code - first)
  const parts = character.normalize('NFKD')
  // A character that stands for a whole phrase in another script can't disguise a word.
  if (parts.length > 8) return ' '
  let folded = ''
  for (const part of parts.toLowerCase().normalize('NFKD')) {
    if (dropped.test(part)) continue
    const letter = lookAlikes[part] ?? confusables.get(part) ?? part
    folded +=
      isPlain.test(letter) || /[€£]/.test(letter)
        ? letter
        : /\p{L}|\p{N}/u.test(letter)
          ? letter
          : /\s/.test(letter)
            ? whiteSpace(letter)
            : ' '
  }
  return folded
}

const whiteSpace = (letter: string) => (letter === '\n' ? '\n' : ' ')

/** Folds case, accents, look-alikes, full-width and circled letters, keycaps and invisible characters. Idempotent. */
export function fold(source: string): Folded {
  const out: string[] = []
  const at: number[] = []
  let index = 0
  for (const character of source) {
    const folded = isPlain.test(character) ? character : foldCharacter(character)
    for (const letter of folded) {
      out.push(letter)
      for (let unit = 0; unit < letter.length; unit++) at.push(index)
    }
    index += character.length
  }
  at.push(source.length)
  return { text: out.join(''), at }
}
