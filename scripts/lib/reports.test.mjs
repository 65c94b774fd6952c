import { expect, test } from 'vitest'
import { countPlaywright, countVitest } from './test-run.mjs'

test('counts the tests in a Vitest report and names the failed ones', () => {
  const wrong = 'AssertionError: expected 1 to be 2\n    at file:///p/node_modules/chai/index.js:1:1\n    at /p/kernel/money.test.ts:3:60'
  const report = {
    numPassedTests: 2,
    numPendingTests: 1,
    numTodoTests: 0,
    testResults: [
      { name: '/p/server/broken.test.ts', status: 'failed', message: 'boom', assertionResults: [] },
      {
        name: '/p/kernel/money.test.ts',
        status: 'failed',
        message: '',
        assertionResults: [
          { fullName: 'money adds', status: 'passed', failureMessages: [] },
          { fullName: 'money splits', status: 'failed', failureMessages: [wrong, wrong] },
          { fullName: 'money later', status: 'skipped', failureMessages: [] },
        ],
      },
    ],
  }
  expect(countVitest(report, '/p')).toEqual({
    passed: 2,
    failed: 2,
    skipped: 1,
    failures: [
      'server/broken.test.ts › the file itself: boom',
      'kernel/money.test.ts › money splits: AssertionError: expected 1 to be 2 (at /p/kernel/money.test.ts:3:60)',
    ],
  })
})

test('counts the tests in a Playwright report and strips its colors', () => {
  const spec = (title, status, ...errors) => ({ title, tests: [{ status, results: errors.map((message) => ({ error: { message } })) }] })
  const report = {
    stats: { expected: 3, unexpected: 1, skipped: 2 },
    suites: [
      {
        title: 'e2e/menus.spec.ts',
        file: 'e2e/menus.spec.ts',
        specs: [spec('opens', 'expected')],
        suites: [
          {
            title: 'on a phone',
            file: 'e2e/menus.spec.ts',
            specs: [spec('scrolls', 'unexpected', '\u001b[31mError\u001b[39m: not\n\nmore', 'Error: again')],
          },
        ],
      },
    ],
  }
  expect(countPlaywright(report)).toEqual({
    passed: 3,
    failed: 1,
    skipped: 2,
    failures: ['e2e/menus.spec.ts › on a phone › scrolls: Error: not'],
  })
})
