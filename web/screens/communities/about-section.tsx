import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Community } from '#contracts/communities.ts'
import type { CommunityMember } from '#contracts/community-members.endpoints.ts'
import { teamOptions } from '#web/entities/communities/communities.api.ts'
import { categoryNames, roleNames, visibilityHints, visibilityNames } from '#web/entities/communities/community-words.ts'
import { RuleList } from '#web/entities/communities/rule-list.tsx'
import { dateFormat } from '#web/lib/format.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { Card, CardBody } from '#web/ui/card.tsx'
import { Loaded } from '#web/ui/loaded.tsx'
import { SkeletonRow } from '#web/ui/skeleton.tsx'

const day = dateFormat({ dateStyle: 'long', timeZone: 'UTC' })

export function AboutSection({ community }: { community: Community }) {
  const { description, rules, category, visibility, createdAt, isVerified } = community
  return (
    <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_20rem]">
      <Card>
        <CardBody className="grid gap-6 sm:p-7">
          <section aria-labelledby="about-words" className="grid gap-2">
            <h2 id="about-words" className="text-xl">
              About
            </h2>
            <p className="max-w-text whitespace-pre-line wrap-anywhere">{description}</p>
          </section>
          <section aria-labelledby="about-rules" className="grid gap-3">
            <h2 id="about-rules" className="text-xl">
              Rules
            </h2>
            {rules.length > 0 ? (
              <RuleList rules={rules} />
            ) : (
              <p className="text-muted text-sm">
                This community has no additional rules. The{' '}
                <Link to="/guidelines" className="underline underline-offset-3">
                  community guidelines
                </Link>{' '}
                apply everywhere.
              </p>
            )}
          </section>
        </CardBody>
      </Card>
      <div className="grid gap-6">
        <Card>
          <CardBody>
            <dl className="grid gap-3.5 text-sm [&_dd]:font-medium [&_dt]:text-muted">
              <div>
                <dt>Privacy</dt>
                <dd>{visibilityNames[visibility]}</dd>
                <dd className="font-normal! text-muted">{visibilityHints[visibility]}</dd>
              </div>
              <div>
                <dt>Category</dt>
                <dd>{categoryNames[category]}</dd>
              </div>
              <div>
                <dt>Since</dt>
                <dd>{day.format(new Date(createdAt))}</dd>
              </div>
              {isVerified && (
                <div>
                  <dt>Verified</dt>
                  <dd className="font-normal!">We know who runs it. The badge isn’t for sale.</dd>
                </div>
              )}
            </dl>
          </CardBody>
        </Card>
        {community.abilities.read && <Team community={community} />}
      </div>
    </div>
  )
}

function Team({ community }: { community: Community }) {
  const query = useQuery(teamOptions(community.id))
  return (
    <section aria-labelledby="about-team" className="grid gap-2">
      <h2 id="about-team" className="text-xl">
        Moderators
      </h2>
      <Loaded query={query} loadingLabel="Loading moderators..." skeleton={<SkeletonRow />} failure="The moderators couldn’t be loaded">
        {(team) =>
          team.length === 0 ? (
            <p className="text-muted text-sm">No moderators to show.</p>
          ) : (
            <ul className="grid gap-1">
              {ownerFirst(team).map(({ person, role }) => (
                <li key={person.id} className="flex items-center gap-3 py-1.5">
                  <Avatar id={person.id} name={person.name} imageUrl={person.imageUrl} />
                  <p className="min-w-0">
                    <Link
                      to="/people/$id"
                      params={{ id: person.id }}
                      className="touch-target rounded-tag font-medium wrap-anywhere hover:underline hover:underline-offset-3"
                    >
                      {person.name}
                    </Link>
                    <span className="block text-muted text-sm">{roleNames[role]}</span>
                  </p>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </section>
  )
}

export const ownerFirst = (team: readonly CommunityMember[]): CommunityMember[] =>
  team.toSorted((a, b) => Number(b.role === 'owner') - Number(a.role === 'owner'))
