import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import type { ReactNode } from 'react'
import { ApiError } from '../../lib/api-error.ts'
import { quietLink } from '../../ui/link-styles.ts'
import { PageHeader } from '../../ui/page-header.tsx'
import { profileOptions } from './people.api.ts'
import { PersonNotFound } from './person-not-found.tsx'

/** A list that belongs to somebody: whose it is, and the way back to them. */
export function PeopleFrame({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  const { data: profile, error } = useQuery(profileOptions(id))
  if (error instanceof ApiError && (error.status === 404 || error.status === 400)) return <PersonNotFound />
  const isHidden = profile !== undefined && !(profile.isProfilePublic || profile.isSelf)
  return (
    <div className="mx-auto max-w-feed px-4 pt-6 pb-16 sm:px-6">
      <Link to="/people/$id" params={{ id }} className={`${quietLink} mb-3 inline-flex min-h-8 items-center gap-1.5 text-sm`}>
        <ArrowLeft aria-hidden="true" className="size-4" />
        {profile ? profile.name : 'Profile'}
      </Link>
      <PageHeader title={title} />
      <div className="mt-5">{isHidden ? <p className="text-muted">This profile is private.</p> : children}</div>
    </div>
  )
}
