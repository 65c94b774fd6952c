import { expect, test } from 'vitest'
import { countPlaywright, countVitest } from './reports.mjs'

test('a report of Vitest is counted, with the names of what failed and of what needed a second time', () => {
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
          { fullName: 'money rounds', status: 'passed', failureMessages: [wrong] },
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
    flaky: ['kernel/money.test.ts › money rounds: AssertionError: expected 1 to be 2 (at /p/kernel/money.test.ts:3:60)'],
  })
})

test('a report of Playwright is counted alike, without its colors', () => {
  const spec = (title, status, ...errors) => ({ title, tests: [{ status, results: errors.map((message) => ({ error: { message } })) }] })
  const report = {
    stats: { expected: 3, flaky: 1, unexpected: 1, skipped: 2 },
    suites: [
      {
        title: 'e2e/menus.spec.ts',
        file: 'e2e/menus.spec.ts',
        specs: [spec('opens', 'expected')],
        suites: [
          {
            title: 'on a phone',
            file: 'e2e/menus.spec.ts',
            specs: [
              spec('closes', 'flaky', '\u001b[31mError\u001b[39m: late\n\nmore'),
              spec('scrolls', 'unexpected', 'Error: not', 'Error: again'),
            ],
          },
        ],
      },
    ],
  }
  expect(countPlaywright(report)).toEqual({
    passed: 4,
    failed: 1,
    skipped: 2,
    failures: ['e2e/menus.spec.ts › on a phone › scrolls: Error: not'],
    flaky: ['e2e/menus.spec.ts › on a phone › closes: Error: late'],
  })
})
