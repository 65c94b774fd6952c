import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Briefcase, Dna, type LucideIcon, MessagesSquare, Sprout, Stethoscope } from 'lucide-react'
import { type CommunityCategory, communityCategories } from '../../../contracts/communities.ts'
import { counted } from '../../lib/counted.ts'
import { cx } from '../../ui/cx.ts'
import { categoryCountsOptions } from './communities.api.ts'
import type { CommunitiesSearch } from './communities-search.ts'
import { categoryHints, categoryNames } from './community-words.ts'

const icons: Record<CommunityCategory, LucideIcon> = {
  growing: Sprout,
  strains: Dna,
  medical: Stethoscope,
  business: Briefcase,
  general: MessagesSquare,
}

/** The categories, each with how many communities there are to find. The one that is chosen leads back to all. */
export function CategoryTiles({ search }: { search: CommunitiesSearch }) {
  const { data: counts } = useQuery(categoryCountsOptions)
  return (
    <nav aria-label="Categories">
      <ul className="grid grid-cols-2 gap-3 sm:grid-cols-5">
        {communityCategories.map((category) => {
          const Icon = icons[category]
          const isChosen = search.category === category
          const { category: _, ...rest } = search
          const count = counts?.find((each) => each.category === category)?.count
          return (
            <li key={category} className="max-sm:last:col-span-2">
              <Link
                to="/communities"
                search={isChosen ? rest : { ...search, category }}
                replace
                resetScroll={false}
                aria-current={isChosen ? 'true' : undefined}
                className={cx(
                  'flex h-full items-start gap-3 rounded-card border p-3.5 transition-colors sm:max-lg:flex-col sm:max-lg:gap-2',
                  isChosen ? 'border-leaf bg-leaf-soft ring-1 ring-leaf' : 'border-line bg-surface hover:border-edge hover:bg-sunk',
                )}
              >
                <Icon aria-hidden="true" className="mt-0.5 size-5.5 shrink-0 text-leaf" />
                <span className="min-w-0">
                  <span className="block font-medium">{categoryNames[category]}</span>
                  <span className="block text-muted text-sm tabular-nums">
                    {count === undefined ? '\u00a0' : counted(count, 'community', 'communities')}
                  </span>
                  <span className="sr-only">{categoryHints[category]}</span>
                </span>
              </Link>
            </li>
          )
        })}
      </ul>
    </nav>
  )
}
