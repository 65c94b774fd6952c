import type { TestApp } from './test-app.ts'

/** Runs the background indexer for everything except strains, which are numerous and contain nothing about people. */
export async function fillSearch(test: Pick<TestApp, 'db' | 'ctx' | 'runJobs'>): Promise<void> {
  await test.db.updateTable('search_state').set({ is_pass_wanted: false, pass_kind: 'business', pass_after: null }).execute()
  await test.ctx.jobs.enqueue('search.index', {})
  await test.runJobs()
}
