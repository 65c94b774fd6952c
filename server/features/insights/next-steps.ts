import { sql } from 'kysely'
import type { NextStep } from '#contracts/insights.endpoints.ts'
import { dayMs } from '#contracts/time.ts'
import type { Db } from '#server/db/connect.ts'
import { requirePermission } from '#server/features/team/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { daysFrom, utcDay } from './days.ts'

/** Days after which a menu needs another look, and a page counts as quiet. */
const oldMenuDays = 8
const quietDays = 21
/** Days before its expiry that a license needs a reminder. */
const warnedDays = 20

type Facts = {
  items: number
  old_items: number
  unanswered: number
  /** Status of the last request to verify a license; null if there was none. */
  license: 'pending' | 'verified' | 'rejected' | 'withdrawn' | 'superseded' | 'expired' | 'revoked' | 'unproven' | null
  /** The request is waiting for a code or a document, not for us. */
  needs_proof: boolean
  expires_on: string | null
  is_demo: boolean
  is_described: boolean
  has_hours: boolean
  has_posts: boolean
}

/** Most urgent first. */
export async function listNextSteps({ db, clock }: Pick<Context, 'db' | 'clock'>, actor: Actor, idOrSlug: string): Promise<NextStep[]> {
  const business = await requirePermission(db, actor, idOrSlug, 'insights')
  const now = clock.now()
  return stepsFor(await facts(db, business.id, now), now)
}

function stepsFor(facts: Facts, now: Date): NextStep[] {
  const isVerified = facts.license === 'verified'
  const left = isVerified && facts.expires_on !== null ? daysFrom(utcDay(now), facts.expires_on) : null
  const isExpired = facts.license === 'expired' || (left !== null && left < 0)
  // Demo businesses have no license, and a request with its document is waiting for us.
  const isWithUs = facts.license === 'pending' && !facts.needs_proof
  const lacksLicense = !isVerified && !isExpired && !isWithUs && !facts.is_demo
  const steps: (NextStep | false)[] = [
    isExpired && { kind: 'license_expired', count: null },
    left !== null && left >= 0 && left <= warnedDays && { kind: 'license_expires', count: left },
    lacksLicense && { kind: 'no_license', count: null },
    facts.items === 0 && { kind: 'no_menu', count: null },
    facts.old_items > 0 && { kind: 'old_menu', count: facts.old_items },
    facts.unanswered > 0 && { kind: 'reviews', count: facts.unanswered },
    !facts.is_described && { kind: 'no_description', count: null },
    !facts.has_hours && { kind: 'no_hours', count: null },
    !facts.has_posts && { kind: 'no_posts', count: null },
  ]
  return steps.filter((step) => step !== false)
}

async function facts(db: Db, businessId: string, now: Date): Promise<Facts> {
  const daysAgo = (days: number) => sql`${new Date(now.getTime() - days * dayMs)}::timestamptz`
  const id = sql`${businessId}::uuid`
  const { rows } = await sql<Facts>`
    select
      (select count(*) from products where business_id = ${id}) as items,
      (select count(*) from products where business_id = ${id} and confirmed_at < ${daysAgo(oldMenuDays)}) as old_items,
      (select count(*) from reviews where business_id = ${id} and review is not null and reply is null) as unanswered,
      verification.status as license,
      coalesce(verification.status = 'pending' and verification.document_id is null, false) as needs_proof,
      verification.expires_on,
      businesses.is_demo,
      coalesce(businesses.description, '') <> '' as is_described,
      exists (select from locations where business_id = ${id} and has_hours) as has_hours,
      exists (select from posts where business_id = ${id} and moderation is null and created_at > ${daysAgo(quietDays)}) as has_posts
    from businesses
    left join lateral (
      select status, expires_on, document_id from license_verifications
      where business_id = businesses.id
      -- A verified license takes precedence.
      order by status = 'verified' desc, created_at desc, id desc
      limit 1) as verification on true
    where businesses.id = ${id}`.execute(db)
  return rows[0] as Facts
}
