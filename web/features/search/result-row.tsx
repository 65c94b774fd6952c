import { Link } from '@tanstack/react-router'
import type { SearchHit } from '../../../contracts/search.ts'
import { useUnits } from '../../lib/use-units.ts'
import { Ago } from '../../ui/ago.tsx'
import { Badge } from '../../ui/badge.tsx'
import { chipClass } from '../../ui/chip.tsx'
import { cx } from '../../ui/cx.ts'
import { cardLink } from '../../ui/link-styles.ts'
import { Skeleton, SkeletonText } from '../../ui/skeleton.tsx'
import { Stars } from '../../ui/stars.tsx'
import { distanceText } from '../directory/distance-text.ts'
import { ActionLink } from '../notifications/action-link.tsx'
import { hitFacts, hitPath } from './hit-path.ts'
import { HitPicture } from './hit-picture.tsx'
import { kinds } from './kinds.ts'
import { MarkedText } from './marked-text.tsx'

type ResultRowProps = {
  hit: SearchHit
  /** Beside others of its kind alone, it need not be said. */
  showsKind: boolean
  onFollow: () => void
}

/** One thing that was found. All of the row leads to it. */
export function ResultRow({ hit, showsKind, onFollow }: ResultRowProps) {
  const { kind, title, matched, snippet, rating, createdAt, isDemo } = hit
  const distance = distanceText({ distanceMiles: hit.distanceMiles, pin: null }, useUnits().distance)
  const facts = [hitFacts(hit), distance].filter(Boolean).join(' · ')
  return (
    <li className="relative flex gap-4 px-4 py-4 transition-colors hover:bg-sunk has-[.card-link:focus-visible]:outline-2 has-[.card-link:focus-visible]:-outline-offset-2 has-[.card-link:focus-visible]:outline-focus sm:px-5">
      <HitPicture hit={hit} size="lg" />
      <div className="min-w-0 flex-1">
        <div className="flex items-baseline justify-between gap-4">
          <h2 className="min-w-0 font-semibold font-text text-base tracking-normal wrap-anywhere">
            <ActionLink href={hitPath(hit)} onClick={onFollow} className={cardLink}>
              <MarkedText text={title} ranges={matched} />
            </ActionLink>
          </h2>
          {showsKind && <KindWord kind={kind} className="max-sm:hidden" />}
        </div>
        {(facts || createdAt || isDemo || showsKind) && (
          <p className="mt-0.5 flex flex-wrap items-center gap-x-2 gap-y-1 text-muted text-sm">
            {/* A narrow row needs its first line for the name. */}
            {showsKind && <KindWord kind={kind} className="sm:hidden" />}
            {facts}
            {createdAt && (
              <>
                {facts && <span aria-hidden="true">·</span>}
                <Ago at={createdAt} />
              </>
            )}
            {isDemo && <Badge variant="neutral">Demo</Badge>}
          </p>
        )}
        {rating && rating.count > 0 && <Stars rating={rating.average} count={rating.count} className="mt-1.5" />}
        {snippet && <p className="mt-1.5 line-clamp-2 max-w-text text-[0.9375rem] text-muted wrap-anywhere">{snippet}</p>}
        {kind === 'strain' && <StrainLinks name={title} />}
      </div>
    </li>
  )
}

function KindWord({ kind, className }: { kind: SearchHit['kind']; className: string }) {
  const { one, Icon } = kinds[kind]
  return (
    <span className={cx('flex shrink-0 items-center gap-1.5 text-muted text-xs [&_svg]:size-3.5', className)}>
      <Icon aria-hidden="true" />
      {one}
    </span>
  )
}

/** A strain has no page of its own: what there is of it stands elsewhere. */
function StrainLinks({ name }: { name: string }) {
  const links = [
    { text: 'Products', to: '/search', search: { q: name, kind: 'product' } },
    { text: 'Posts', to: '/search', search: { q: name, kind: 'post' } },
    { text: 'Shared hunts', to: '/pheno-hunt', search: { tab: 'community', search: name } },
  ] as const
  return (
    <p className="relative z-1 mt-2.5 flex flex-wrap gap-2">
      {links.map(({ text, ...link }) => (
        <Link key={text} {...link} className={chipClass(false)}>
          {text}
          <span className="sr-only"> of {name}</span>
        </Link>
      ))}
    </p>
  )
}

/** The shape of a row that is on its way. */
export function ResultRowSkeleton() {
  return (
    <span className="flex gap-4 px-4 py-4 sm:px-5">
      <Skeleton className="size-14 shrink-0" />
      <span className="grid flex-1 content-start gap-2.5 pt-1">
        <Skeleton className="h-4 w-2/5" />
        <SkeletonText lines={2} />
      </span>
    </span>
  )
}
