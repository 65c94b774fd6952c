import { Link } from '@tanstack/react-router'
import { Clock, X } from 'lucide-react'
import type { CurrentUser } from '#contracts/accounts.ts'
import type { SearchKind } from '#contracts/search.endpoints.ts'
import { IconButton } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { textLink } from '#web/ui/link-styles.ts'
import { forgetSearch, forgetSearches, useRecentSearches } from './recent-searches.ts'
import { KeyHint, withCommand } from './search-keys.tsx'
import { kindNames, kinds } from './search-words.ts'

type SearchStartProps = { user: CurrentUser; onSearch: (text: string) => void }

const hints: Record<SearchKind, { text: string; examples: string[] }> = {
  business: { text: 'Farms, dispensaries and shops, by name or city', examples: ['Green', 'Denver'] },
  product: { text: 'What’s on the menus', examples: ['Pre-roll', 'Gummies'] },
  post: { text: 'News, tips and offers', examples: ['Harvest', 'Soil'] },
  person: { text: 'By their profile name', examples: [] },
  community: { text: 'By topic', examples: ['Growers'] },
  strain: { text: 'About 9,500 names with their type and breeder', examples: ['Blue Dream', 'Sour Diesel'] },
}

export function SearchStart({ user, onSearch }: SearchStartProps) {
  const recent = useRecentSearches(user.id)
  return (
    <div className="mt-8 grid gap-8">
      {recent.length > 0 && (
        <section aria-labelledby="recent-searches">
          <div className="mb-2 flex items-baseline justify-between gap-4">
            <h2 id="recent-searches" className="text-lg">
              Recent searches
            </h2>
            <button
              type="button"
              className="touch-target rounded-tag font-medium text-leaf text-sm hover:underline hover:underline-offset-3"
              onClick={() => forgetSearches(user.id)}
            >
              Clear all
            </button>
          </div>
          <Card asChild>
            <ul className="divide-y divide-line">
              {recent.map((text) => (
                <li key={text} className="relative flex items-center gap-3 py-1 pr-2 pl-4 transition-colors hover:bg-sunk">
                  <Clock aria-hidden="true" className="size-4.5 shrink-0 text-muted" />
                  <Link
                    to="/search"
                    search={{ q: text }}
                    className="min-w-0 flex-1 truncate rounded-tag py-2 after:absolute after:inset-0 focus-visible:-outline-offset-2"
                  >
                    {text}
                  </Link>
                  <IconButton label={`Remove “${text}”`} size="sm" className="z-1" onClick={() => forgetSearch(user.id, text)}>
                    <X />
                  </IconButton>
                </li>
              ))}
            </ul>
          </Card>
          <p className="mt-2 text-muted text-sm">Stored only on this device and removed when you sign out.</p>
        </section>
      )}
      <section aria-labelledby="what-to-find">
        <h2 id="what-to-find" className="mb-3 text-lg">
          What you can find
        </h2>
        <ul className="grid gap-3 sm:grid-cols-2">
          {kindNames.map((kind) => {
            const { many, Icon } = kinds[kind]
            const { text, examples } = hints[kind]
            return (
              <li key={kind} className="flex gap-3.5 rounded-card border border-line bg-surface p-4">
                <span className="grid size-10 shrink-0 place-items-center rounded-input bg-leaf-soft text-leaf">
                  <Icon aria-hidden="true" className="size-5" />
                </span>
                <div className="min-w-0">
                  <h3 className="font-semibold font-text text-base tracking-normal">{many}</h3>
                  <p className="text-muted text-sm">{text}</p>
                  {examples.length > 0 && (
                    <p className="mt-1.5 flex flex-wrap gap-x-3 gap-y-1 text-sm">
                      {examples.map((example) => (
                        <button key={example} type="button" className={`${textLink} touch-target`} onClick={() => onSearch(example)}>
                          {example}
                        </button>
                      ))}
                    </p>
                  )}
                </div>
              </li>
            )
          })}
        </ul>
        <p className="mt-4 flex flex-wrap items-center gap-1.5 text-muted text-sm pointer-coarse:hidden">
          From any page, <KeyHint>{withCommand('K')}</KeyHint> or <KeyHint>/</KeyHint> opens the search.
        </p>
      </section>
    </div>
  )
}
