import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { CommunitySuggestion } from '../../../contracts/communities.ts'
import { CommunityPicture } from '../communities/community-picture.tsx'
import { countWords } from '../communities/community-words.ts'
import { JoinButton } from '../communities/join-button.tsx'
import { suggestedOptions } from './community-posts.api.ts'

const reasons: Record<CommunitySuggestion['because'], string> = {
  people: 'People you follow are in it',
  category: 'Like communities of yours',
  size: 'One of the largest',
}

/** Communities to join, each with the reason. Without any, or where they could not be loaded, nothing: they are beside the matter. */
export function SuggestedCommunities() {
  const suggestions = useQuery(suggestedOptions).data ?? []
  if (suggestions.length === 0) return null
  return (
    <section aria-labelledby="suggested-communities" className="rounded-card border border-line bg-surface p-4 sm:p-5">
      <h2 id="suggested-communities" className="text-lg">
        Suggested communities
      </h2>
      <ul className="mt-3 grid gap-4 sm:max-lg:grid-cols-2">
        {suggestions.map(({ community, because }) => (
          <li key={community.id} className="grid gap-2">
            <div className="flex gap-3">
              <span className="size-11 shrink-0 overflow-hidden rounded-input">
                <CommunityPicture community={community} className="size-full" />
              </span>
              <div className="min-w-0">
                <Link
                  to="/communities/$id"
                  params={{ id: community.slug }}
                  className="touch-target rounded-tag font-semibold wrap-anywhere hover:underline hover:underline-offset-3"
                >
                  {community.name}
                </Link>
                <p className="text-muted text-sm tabular-nums">{countWords(community)}</p>
                <p className="text-muted text-sm">{reasons[because]}</p>
              </div>
            </div>
            <JoinButton community={community} variant="secondary" className="w-full" />
          </li>
        ))}
      </ul>
    </section>
  )
}
