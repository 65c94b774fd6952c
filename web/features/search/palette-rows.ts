import type { SearchHit } from '../../../contracts/search.ts'
import type { Command } from './commands.ts'
import { kindNames, kinds } from './kinds.ts'
import type { Range } from './marked-pieces.ts'
import { matchingCommands } from './matching-commands.ts'

export type PaletteRow = { key: string } & (
  | { type: 'hit'; hit: SearchHit }
  | { type: 'command'; command: Command; ranges: readonly Range[] }
  | { type: 'recent'; text: string }
  | { type: 'clear-recent' }
  | { type: 'everything'; text: string }
  | { type: 'places'; text: string }
  | { type: 'slash-key'; isOn: boolean }
)
export type PaletteGroup = { label: string; rows: PaletteRow[] }

type PaletteInput = {
  /** Trimmed. */
  text: string
  hits: readonly SearchHit[]
  recent: readonly string[]
  commands: readonly Command[]
  /** Whether the key "/" opens the palette. Undefined where that is no matter. */
  isSlashKeyOn?: boolean | undefined
  /**
   * What the Enter key does at once. `hit`: opens what fits best. `places`: looks in Discover, as the search box of the header does, whose
   * place the palette takes on a phone.
   */
  enter: 'hit' | 'places'
}

/** What is under the palette's field, in its order. The first row is the one that Enter takes. */
export function paletteGroups({ text, hits, recent, commands, isSlashKeyOn, enter }: PaletteInput): PaletteGroup[] {
  return (text === '' ? start(recent, commands, isSlashKeyOn) : found(text, hits, commands, enter)).filter(({ rows }) => rows.length > 0)
}

function start(recent: readonly string[], commands: readonly Command[], isSlashKeyOn: boolean | undefined): PaletteGroup[] {
  const texts = recent.map((text): PaletteRow => ({ key: `recent ${text}`, type: 'recent', text }))
  return [
    { label: 'Recent searches', rows: texts.length > 0 ? [...texts, { key: 'clear', type: 'clear-recent' }] : [] },
    { label: 'Go to', rows: commands.map((command) => commandRow({ command, ranges: [] })) },
    { label: 'Keys', rows: isSlashKeyOn === undefined ? [] : [{ key: 'slash', type: 'slash-key', isOn: isSlashKeyOn }] },
  ]
}

function found(text: string, hits: readonly SearchHit[], commands: readonly Command[], enter: PaletteInput['enter']): PaletteGroup[] {
  const pages = matchingCommands(commands, text)
  const everything: PaletteRow = { key: 'everything', type: 'everything', text }
  const places: PaletteRow = { key: 'places', type: 'places', text }
  const hitGroups = byKind(hits)
  if (enter === 'places') {
    return [{ label: 'Search', rows: [places, everything] }, ...hitGroups, { label: 'Go to', rows: pages.map(commandRow) }]
  }
  // A page that is called by its name comes at once and stays where it is when the rest arrives.
  return [
    { label: 'Go to', rows: pages.filter(({ isNamed }) => isNamed).map(commandRow) },
    ...hitGroups,
    { label: 'More pages', rows: pages.filter(({ isNamed }) => !isNamed).map(commandRow) },
    { label: 'Search', rows: [everything, places] },
  ]
}

const commandRow = ({ command, ranges }: { command: Command; ranges: readonly Range[] }): PaletteRow => ({
  key: `go ${command.label}`,
  type: 'command',
  command,
  ranges,
})

/** The kinds in the order of their best hits. */
function byKind(hits: readonly SearchHit[]): PaletteGroup[] {
  const rank = (kind: SearchHit['kind']) => hits.findIndex((hit) => hit.kind === kind)
  return kindNames
    .filter((kind) => rank(kind) >= 0)
    .sort((one, other) => rank(one) - rank(other))
    .map((kind) => ({ label: kinds[kind].many, rows: hits.filter((hit) => hit.kind === kind).map(hitRow) }))
}

const hitRow = (hit: SearchHit): PaletteRow => ({ key: `${hit.kind} ${hit.id}`, type: 'hit', hit })

type Moved = { key: string } | null

/**
 * Which row is marked: the one that was moved to, as long as it is there, or else the first. -1 where there is none.
 */
export function activeIndex(rows: readonly PaletteRow[], moved: Moved): number {
  const index = moved ? rows.findIndex(({ key }) => key === moved.key) : -1
  return index >= 0 ? index : Math.min(0, rows.length - 1)
}

/**
 * What Enter takes. A hit of an earlier text that nobody moved to is not it: who types fast and presses Enter means what they typed.
 */
export function enteredRow(rows: readonly PaletteRow[], moved: Moved, isFresh: boolean): PaletteRow | undefined {
  const row = rows[activeIndex(rows, moved)]
  const isLeftOver = row?.type === 'hit' && !isFresh && row.key !== moved?.key
  return isLeftOver ? rows.find(({ type }) => type === 'everything') : row
}
