/**
 * Finds wording that no American would write in source, tests or docs: `node scripts/wording.ts`. It can't judge a sentence. It lists
 * phrases that are typical of translations, and what to write instead.
 */
import fs from 'node:fs'
import path from 'node:path'

type Rule = { pattern: RegExp; instead: string }

const clauseStart = String.raw`(?:^|[.,;:(]\s+|\b(?:that|what|where|when|whom|whose|as|if|than|until|before|because)\s)`

const rules: readonly Rule[] = [
  { pattern: /\bwho(?:m|se)?(?:so)?ever\b/i, instead: 'anyone who, the person who' },
  { pattern: /\b(?:some|every)body\b/i, instead: 'someone, a person; everyone, all' },
  { pattern: /\bnobody\b/i, instead: 'no one' },
  { pattern: /\banew\b/i, instead: 'again' },
  { pattern: /\bthe own\b/i, instead: 'its own, your own' },
  { pattern: /\bbe it that\b/i, instead: 'even if' },
  { pattern: /\bwhat is more\b/i, instead: 'also, more' },
  { pattern: /\bso many (?:stars|of|bytes|lines|characters|days|rows|things|people|requests|places)\b/i, instead: 'a number, a count' },
  { pattern: /\bthe same again (?:changes|does|is)\b/i, instead: 'Idempotent.' },
  { pattern: /\bof (?:these|those) (?:that|which|who)\b/i, instead: 'name the thing first' },
  { pattern: /(?:^|[.;:/*]\s+)(?:of|for|to|by|with|from) (?:whom|which)\b/i, instead: 'start with the subject' },
  { pattern: /\b(?:by|through|from|for|of|in|with|to|on) (?:\S+ ){1,3}alone\b(?! with)/i, instead: 'only' },
  {
    pattern: new RegExp(`${clauseStart}one (?:may|can|must|wants|writes|signs|sees|does|needs|gets|knows|asks|waits)\\b`, 'i'),
    instead: 'you, people',
  },
  { pattern: /\b(?:one's own|oneself)\b/i, instead: 'your own, yourself' },
  { pattern: /\bhold(?:s|ing)? (?:it |them |this )?against the\b/i, instead: 'compare with, check against' },
  {
    pattern:
      /\b(?:most|least|longest)(?:Bytes|Rows|Lines|Photos|Words|Characters|Length|Items|Tries|Pixels|Days|Ms|Minutes|Places|People|Results)\b/,
    instead: 'max…, min…',
  },
  { pattern: /\btellOf[A-Z]\w*/, instead: 'notify…' },
  { pattern: /^\s*(?:\/\*\*|\*|\/\/)(?:\s.*?)?(?<![.\w/`])mails\b(?!\.\w)/i, instead: 'emails' },
  { pattern: /^\s*(?:\/\*\*|\*|\/\/)\s.*\ba mail\b(?! (?:server|scanner|provider|header))/i, instead: 'an email' },
  { pattern: /^\s*(?:it|test)\((['"`])(?:are|have|were|do|include|aren’t|haven’t) /, instead: 'a verb in the singular: is, has, does' },
  {
    pattern: /(?:\b(?:message|title|subject): |\binvalidField\([^,]+, )["`][^"`]*[a-z]'[a-z]/,
    instead: 'a curly apostrophe (’) in what people read',
  },
  { pattern: /^\s*(?:it|test)\((['"`])(?:[^'"`]*\s)?(?:mails|mailed|ids?)[ ,'"`]/, instead: 'emails, emailed, ID' },
]

export type Finding = { file: string; line: number; text: string; instead: string }

/** A stored value such as 'nobody' isn't prose. */
const constant = /(['"`])[\w-]+\1/g

/** @returns each phrase of a text that a rule names, with its line, counted from 1. */
export function findWording(file: string, text: string): Finding[] {
  return text.split('\n').flatMap((content, index) =>
    rules.flatMap(({ pattern, instead }) => {
      const [found] = pattern.exec(content.replace(constant, "''")) ?? []
      return found === undefined ? [] : [{ file, line: index + 1, text: found.trim(), instead }]
    }),
  )
}

const root = path.resolve(import.meta.dirname, '..')
const folders = ['agronomy', 'bench', 'compliance', 'contracts', 'deploy', 'docs', 'scripts', 'server', 'tests', 'web']
const checked = /\.(?:ts|tsx|mjs|mts|css|html|md|yaml|yml)$/
/** Packages, generated files, these rules, and lists of phrases that people write. */
const skipped =
  /\/node_modules\/|^web\/route-tree\.gen\.ts$|^server\/db\/schema\.ts$|^scripts\/wording|^compliance\/(?:giveaways|health|judge|lexicon)\.ts$|help-index\.ts$|question-words\.ts$/

export function findAll(): Finding[] {
  const listed = fs.readdirSync(root).filter((file) => file.endsWith('.md'))
  for (const folder of folders)
    for (const file of fs.readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' }))
      listed.push(path.posix.join(folder, file))
  return listed
    .filter((file) => checked.test(file) && !skipped.test(file))
    .flatMap((file) => findWording(file, fs.readFileSync(path.join(root, file), 'utf8')))
}

if (import.meta.main) {
  const findings = findAll()
  for (const { file, line, text, instead } of findings) console.log(`${file}:${line} “${text}”: ${instead}`)
  process.exitCode = findings.length > 0 ? 1 : 0
}
