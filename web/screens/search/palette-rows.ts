import { ShieldCheck, SquarePen } from 'lucide-react'
import type { CurrentUser } from '#contracts/accounts.ts'
import type { SearchHit } from '#contracts/search.endpoints.ts'
import { accountDestinations } from '#web/ui/account-destinations.ts'
import { mainDestinations } from '#web/ui/destinations.ts'
import { kindNames, kinds, type Range, wordMatches } from './hits.tsx'

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
  text: string
  hits: readonly SearchHit[]
  recent: readonly string[]
  commands: readonly Command[]
  /** Undefined omits the row that turns the "/" shortcut on or off. */
  isSlashKeyOn?: boolean | undefined
  /**
   * Enter opens the first row (`hit`), or searches Discover (`places`) like the header's search box, which the palette replaces on phones
   * and tablets.
   */
  enter: 'hit' | 'places'
}

/** Enter activates the first row. */
export function paletteGroups({ text, hits, recent, commands, isSlashKeyOn, enter }: PaletteInput): PaletteGroup[] {
  return (text === '' ? start(recent, commands, isSlashKeyOn) : found(text, hits, commands, enter)).filter(({ rows }) => rows.length > 0)
}

function start(recent: readonly string[], commands: readonly Command[], isSlashKeyOn: boolean | undefined): PaletteGroup[] {
  const texts = recent.map((text): PaletteRow => ({ key: `recent ${text}`, type: 'recent', text }))
  return [
    { label: 'Recent searches', rows: texts.length > 0 ? [...texts, { key: 'clear', type: 'clear-recent' }] : [] },
    { label: 'Go to', rows: commands.map((command) => commandRow({ command, ranges: [] })) },
    { label: 'Shortcuts', rows: isSlashKeyOn === undefined ? [] : [{ key: 'slash', type: 'slash-key', isOn: isSlashKeyOn }] },
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
  // Pages that match by name appear immediately, and don't move when hits arrive.
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

function byKind(hits: readonly SearchHit[]): PaletteGroup[] {
  const rank = (kind: SearchHit['kind']) => hits.findIndex((hit) => hit.kind === kind)
  return kindNames
    .filter((kind) => rank(kind) >= 0)
    .sort((one, other) => rank(one) - rank(other))
    .map((kind) => ({ label: kinds[kind].many, rows: hits.filter((hit) => hit.kind === kind).map(hitRow) }))
}

const hitRow = (hit: SearchHit): PaletteRow => ({ key: `${hit.kind} ${hit.id}`, type: 'hit', hit })

type Moved = { key: string } | null

/** The index of the row that the person moved to if it still exists, otherwise of the first row. -1 without rows. */
export function activeIndex(rows: readonly PaletteRow[], moved: Moved): number {
  const index = moved ? rows.findIndex(({ key }) => key === moved.key) : -1
  return index >= 0 ? index : Math.min(0, rows.length - 1)
}

/** Enter activates this row. For fast typists, excludes hits for an earlier text unless the person moved to them. */
export function enteredRow(rows: readonly PaletteRow[], moved: Moved, isFresh: boolean): PaletteRow | undefined {
  const row = rows[activeIndex(rows, moved)]
  const isLeftOver = row?.type === 'hit' && !isFresh && row.key !== moved?.key
  return isLeftOver ? rows.find(({ type }) => type === 'everything') : row
}

const otherWords: Record<string, string> = {
  Home: 'feed start',
  Discover: 'directory map businesses near me',
  Favorites: 'saved hearts',
  Products: 'menus deals prices near me',
  'Create Post': 'write new publish',
  Profile: 'me account',
  Notifications: 'bell alerts',
  Messages: 'inbox chat conversations',
  Communities: 'groups forum',
  'Pheno Hunter Pro': 'grow plants hunts keepers',
  Dashboard: 'business menu analytics insights',
  Billing: 'payments subscriptions invoices plan',
  'Register Business': 'add claim company shop',
  'Subscription Plans': 'pricing upgrade premium',
  'Help Center': 'support questions',
  Settings: 'preferences privacy password account theme units',
  Moderation: 'admin queue cases reports',
}

/**
 * Each typed word must start a word of the name or a synonym. `isNamed`: the name starts with the whole text, of at least two characters.
 */
function matchingCommands(commands: readonly Command[], typed: string) {
  const text = typed.trim().toLowerCase()
  return commands
    .map((command) => ({
      command,
      ranges: wordMatches(command.label, text),
      isNamed: text.length > 1 && command.label.toLowerCase().startsWith(text),
    }))
    .filter(({ command, ranges }) => ranges.length > 0 || wordMatches(otherWords[command.label] ?? '', text).length > 0)
}

type Destination = (typeof accountDestinations.more)[number] | (typeof mainDestinations)[number]
export type Command = Pick<Destination, 'label' | 'Icon'> & { link: { to: string } }

const createPost = { label: 'Create Post', Icon: SquarePen, link: { to: '/create-post' } }
const moderation = { label: 'Moderation', Icon: ShieldCheck, link: { to: '/admin' } }

/** Includes the pages in the headers and in "More". */
export function commandsFor({ role }: Pick<CurrentUser, 'role'>): Command[] {
  const main: readonly Command[] = mainDestinations
  const more = accountDestinations.more.filter(({ label }) => main.every((command) => command.label !== label))
  return [...main, createPost, ...more, ...(role === 'member' ? [] : [moderation])]
}
