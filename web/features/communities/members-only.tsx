import { Lock } from 'lucide-react'
import type { Community } from '../../../contracts/communities.ts'
import { AboutSection } from './about-section.tsx'
import { JoinButton } from './join-button.tsx'

/** In the place of the posts, for whoever does not read them: why, how to get in, and what it is. */
export function MembersOnly({ community }: { community: Community }) {
  const { abilities, isRequested, isInvited, visibility } = community
  const way = isInvited
    ? 'You are invited. Join to read and write.'
    : isRequested
      ? 'Your request waits for a moderator. You are told when it is decided.'
      : abilities.request
        ? 'Ask to be let in. A moderator decides.'
        : 'You cannot join this community for now.'
  return (
    <div className="grid gap-6">
      <section className="grid justify-items-center gap-2 rounded-card border border-line border-dashed px-5 py-10 text-center">
        <Lock aria-hidden="true" className="mb-1 size-6 text-muted" />
        <h2 className="text-xl">{visibility === 'public' ? 'Not for you at the moment' : 'For members'}</h2>
        <p className="max-w-text text-muted">{`What is said here is for members. ${way}`}</p>
        <JoinButton community={community} size="lg" className="mt-3" />
      </section>
      <AboutSection community={community} />
    </div>
  )
}
