import type { CaseDecision, ModerationCase, ModerationCaseDetail, ModerationDecision, ReportSubject } from '#contracts/moderation.ts'
import { newId } from '#server/kernel/ids.ts'
import { addBusiness } from './businesses.ts'
import { addHunt } from './hunts.ts'
import { giveRole } from './roles.ts'
import { addComment, addPost, addReview, joinBusiness } from './social.ts'
import type { TestApp, TestPerson } from './test-app.ts'

type DecisionInput = Partial<Omit<CaseDecision, 'actions'>> & { actions: CaseDecision['actions'] }

export function moderationCalls(test: TestApp) {
  const report = async (as: TestPerson, subject: ReportSubject, subjectId: string, reason = 'spam', details = '') => {
    const answer = await test.request('POST', '/api/reports', as, { subject, subjectId, reason, details })
    if (answer.statusCode !== 204) throw new Error(`report failed: ${answer.statusCode} ${answer.body}`)
  }
  const caseOf = async (subject: ReportSubject, subjectId: string): Promise<string> => {
    const row = await test.db
      .selectFrom('moderation_cases')
      .select('id')
      .where('subject', '=', subject)
      .where('subject_id', '=', subjectId)
      .orderBy('opened_at', 'desc')
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    return row.id
  }
  const decide = (as: TestPerson | null, caseId: string, decision: DecisionInput) =>
    test.request('POST', `/api/moderation/cases/${caseId}/decide`, as, decision)
  return {
    report,
    caseOf,
    decide,
    /** Reports the subject as a new person; returns the case. */
    async reported(subject: ReportSubject, subjectId: string, reason = 'spam'): Promise<string> {
      await report(await test.signUp(), subject, subjectId, reason)
      return caseOf(subject, subjectId)
    },
    async decided(as: TestPerson, caseId: string, decision: DecisionInput): Promise<ModerationDecision[]> {
      const answer = await decide(as, caseId, decision)
      if (answer.statusCode !== 200) throw new Error(`decide failed: ${answer.statusCode} ${answer.body}`)
      return (answer.json() as { decisions: ModerationDecision[] }).decisions
    },
    undo: (as: TestPerson | null, actionId: string, reason = 'A mistake') =>
      test.request('POST', `/api/moderation/actions/${actionId}/undo`, as, { reason }),
    appeal: (as: TestPerson | null, actionId: string, content = 'It was not so') =>
      test.request('POST', `/api/moderation/actions/${actionId}/appeal`, as, { content }),
    decideAppeal: (as: TestPerson | null, id: string, outcome: 'upheld' | 'overturned') =>
      test.request('POST', `/api/moderation/appeals/${id}/decide`, as, { outcome, answer: 'We looked again' }),
    cases: async (as: TestPerson, query = '') =>
      (await test.request('GET', `/api/moderation/cases?limit=100&${query}`, as)).json() as ModerationCase[],
    case: async (as: TestPerson, id: string, query = '') =>
      (await test.request('GET', `/api/moderation/cases/${id}${query}`, as)).json() as ModerationCaseDetail,
    async moderator(role: 'moderator' | 'admin' = 'moderator'): Promise<TestPerson> {
      const person = await test.signUp()
      await giveRole(test, person, role)
      return person
    },
  }
}

/** Adds the reason and explanation that every decision against content or a person requires. */
export const decisionWith = (...actions: CaseDecision['actions']): DecisionInput => ({
  actions,
  reason: 'spam',
  explanation: 'This is advertising.',
})

/** One person's reportable content: a post, a comment, a review, a hunt, a comment on the hunt, their profile and a business. */
export async function addReportableContent(test: TestApp, writer: TestPerson) {
  const userId = writer.user.id
  const shop = await addBusiness(test.db)
  const own = await addBusiness(test.db)
  await joinBusiness(test.db, userId, own.id)
  const post = await addPost(test.db, { author_id: userId })
  await test.db.updateTable('users').set({ posts_count: 1 }).where('id', '=', userId).execute()
  const comment = await addComment(test.db, { post_id: post, author_id: userId })
  await test.db.updateTable('posts').set({ comments_count: 1 }).where('id', '=', post).execute()
  const review = await addReview(test.db, { business_id: shop.id, user_id: userId, review: 'Good' })
  const stars = { rating_counts: [0, 0, 0, 0, 1], total_ratings: 1, rating_sum: 5 }
  await test.db.updateTable('businesses').set(stars).where('id', '=', shop.id).execute()
  const hunt = (await addHunt(test.db, userId, { visibility: 'public', comments_count: 1 })).id
  const huntComment = newId()
  await test.db.insertInto('hunt_comments').values({ id: huntComment, hunt_id: hunt, author_id: userId, content: 'Nice' }).execute()
  return { shop, own, ids: { post, comment, review, hunt, hunt_comment: huntComment, person: userId, business: own.id } }
}
