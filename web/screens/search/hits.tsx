import { Dna, type LucideIcon, Newspaper, Package, Store, UserRound, UsersRound } from 'lucide-react'
import { useState } from 'react'
import type { SearchFacets, SearchHit, SearchKind } from '#contracts/search.endpoints.ts'
import { formatNumber } from '#web/lib/format.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { Cover } from '#web/ui/cover/cover.tsx'
import { cx } from '#web/ui/cx.ts'
import type { SearchAddress } from './search-address.ts'

type Kind = { one: string; many: string; Icon: LucideIcon }

export const kinds: Record<SearchKind, Kind> = {
  business: { one: 'Business', many: 'Businesses', Icon: Store },
  product: { one: 'Product', many: 'Products', Icon: Package },
  post: { one: 'Post', many: 'Posts', Icon: Newspaper },
  person: { one: 'Person', many: 'People', Icon: UserRound },
  community: { one: 'Community', many: 'Communities', Icon: UsersRound },
  strain: { one: 'Strain', many: 'Strains', Icon: Dna },
}

export const kindNames = Object.keys(kinds) as SearchKind[]

export type Counted = { count: number; isCapped: boolean }

/** "1,000+" for a capped count. */
export const countText = ({ count, isCapped }: Counted): string => `${formatNumber(count)}${isCapped ? '+' : ''}`

export const sum = (parts: readonly Counted[]): Counted => ({
  count: parts.reduce((total, { count }) => total + count, 0),
  isCapped: parts.some(({ isCapped }) => isCapped),
})

/** For the tab "All", which includes similar spellings only if nothing matches as typed. */
export function countedTogether<Each extends Counted & { isAlike: boolean }>(kinds: readonly Each[]): readonly Each[] {
  const exact = kinds.filter(({ isAlike }) => !isAlike)
  return exact.some(({ count }) => count > 0) ? exact : kinds
}

export function hitFacts({ subtitle, location }: Pick<SearchHit, 'subtitle' | 'location'>): string {
  return [subtitle, location && !subtitle?.includes(location) ? location : null].filter(Boolean).join(' · ')
}

/** "12 results" or "1 product", with a note if none match exactly. Empty without results, because the list then has a message. */
export function resultSentence(
  { q, kind }: Pick<SearchAddress, 'q' | 'kind'>,
  facets: Pick<SearchFacets, 'kinds'>,
  pages: readonly { items: readonly Pick<SearchHit, 'isAlike'>[] }[],
): string {
  const first = pages[0]?.items ?? []
  if (first.length === 0) return ''
  const counted = sum(kind ? facets.kinds.filter((each) => each.kind === kind) : countedTogether(facets.kinds))
  const [one, many] = kind ? [kinds[kind].one, kinds[kind].many] : ['result', 'results']
  const count = `${countText(counted)} ${(counted.count === 1 ? one : many).toLowerCase()}.`
  return first.every(({ isAlike }) => isAlike)
    ? `No exact match for “${q}”. ${count.slice(0, -1)} ${counted.count === 1 ? 'is' : 'are'} similar.`
    : count
}

/** UTF-16 positions; the end is exclusive. */
export type Range = readonly [number, number]
type Piece = { text: string; isMatch: boolean; start: number }

/** Ranges may overlap, touch or be out of bounds. */
export function markedPieces(text: string, ranges: readonly Range[]): Piece[] {
  const pieces: Piece[] = []
  let at = 0
  const add = (end: number, isMatch: boolean) => {
    if (end > at) pieces.push({ text: text.slice(at, end), isMatch, start: at })
    at = Math.max(at, end)
  }
  for (const [start, end] of merged(text, ranges)) {
    add(start, false)
    add(end, true)
  }
  add(text.length, false)
  return pieces
}

function merged(text: string, ranges: readonly Range[]): Range[] {
  const within = ranges
    .map(([start, end]): Range => [Math.max(0, start), Math.min(text.length, end)])
    .filter(([start, end]) => start < end)
    .sort(([one], [other]) => one - other)
  const result: Range[] = []
  for (const [start, end] of within) {
    const before = result.at(-1)
    if (before && start <= before[1]) result[result.length - 1] = [before[0], Math.max(before[1], end)]
    else result.push([start, end])
  }
  return result
}

/** Empty unless every typed word starts a word of the label. */
export function wordMatches(label: string, typed: string): Range[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean)
  const inside = label.toLowerCase()
  const starts = [...inside.matchAll(/[\p{L}\p{N}]+/gu)].map(({ index }) => index)
  const ranges = words.map((word): Range | null => {
    const start = starts.find((each) => inside.startsWith(word, each))
    return start === undefined ? null : [start, start + word.length]
  })
  return ranges.every((range) => range !== null) ? ranges : []
}

const sizes = { sm: 'size-8 [&_svg.lucide]:size-4.5', lg: 'size-14 [&_svg.lucide]:size-6' }

type HitPictureProps = { hit: Pick<SearchHit, 'id' | 'kind' | 'title' | 'imageUrl' | 'businessType'>; size: keyof typeof sizes }

/**
 * Round for people, square for everything else. Without an image, businesses and communities have a generated cover, and other kinds an
 * icon. Decorative: the title is always next to it.
 */
export function HitPicture({ hit: { id, kind, title, imageUrl, businessType }, size }: HitPictureProps) {
  const [failedUrl, setFailedUrl] = useState<string | null>(null)
  if (kind === 'person') return <Avatar id={id} name={title} imageUrl={imageUrl} size={size === 'sm' ? 'sm' : 'lg'} />
  const frame = cx('shrink-0 overflow-clip border border-line', size === 'sm' ? 'rounded-[0.5rem]' : 'rounded-input', sizes[size])
  if (imageUrl && imageUrl !== failedUrl) {
    return (
      <img
        src={imageUrl}
        alt=""
        width={56}
        height={56}
        loading="lazy"
        decoding="async"
        onError={() => setFailedUrl(imageUrl)}
        className={cx(frame, 'bg-sunk object-cover')}
      />
    )
  }
  if (kind === 'business' || kind === 'community') {
    return (
      <span className={cx(frame, 'block')}>
        <Cover id={id} type={businessType ?? 'other'} className="size-full" />
      </span>
    )
  }
  const { Icon } = kinds[kind]
  return (
    <span className={cx(frame, 'grid place-items-center bg-leaf-soft text-leaf')}>
      <Icon aria-hidden="true" />
    </span>
  )
}

export function MarkedText({ text, ranges }: { text: string; ranges: readonly Range[] }) {
  return markedPieces(text, ranges).map(({ text: piece, isMatch, start }) =>
    isMatch ? (
      <mark key={start} className="rounded-[0.1875rem] bg-leaf-soft text-leaf box-decoration-clone">
        {piece}
      </mark>
    ) : (
      piece
    ),
  )
}
