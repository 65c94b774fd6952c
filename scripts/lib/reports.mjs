// What the reports of Vitest and Playwright say of each test: counts, and the names of those that want to be looked at.

/**
 * @typedef {{ passed: number, failed: number, skipped: number, failures: string[], flaky: string[] }} Count
 * `failures` and `flaky` (passed only at the second time) are a line each: file, test, the first line of what went wrong.
 */

/** @returns {Count} */
export function countVitest(report, root) {
  const failures = []
  const flaky = []
  for (const file of report.testResults) {
    const name = file.name.startsWith(`${root}/`) ? file.name.slice(root.length + 1) : file.name
    let failed = false
    for (const test of file.assertionResults) {
      if (test.status === 'failed') failed = true
      // One that passed has messages only of the time when it did not.
      const list = test.status === 'failed' ? failures : test.status === 'passed' && test.failureMessages.length > 0 ? flaky : undefined
      list?.push(line(name, test.fullName, test.failureMessages[0]))
    }
    // A file that breaks before its first test has no test to count.
    if (file.status === 'failed' && !failed) failures.push(line(name, 'the file itself', file.message))
  }
  return {
    passed: report.numPassedTests,
    failed: failures.length,
    skipped: report.numPendingTests + report.numTodoTests,
    failures,
    flaky,
  }
}

/** @returns {Count} */
export function countPlaywright(report) {
  const { expected, flaky, unexpected, skipped } = report.stats
  const named = (status) =>
    specsOf(report.suites ?? []).flatMap(({ file, titles, spec }) =>
      spec.tests
        .filter((test) => test.status === status)
        .map((test) => line(file, [...titles, spec.title].join(' › '), test.results.find(({ error }) => error)?.error.message)),
    )
  return { passed: expected + flaky, failed: unexpected, skipped, failures: named('unexpected'), flaky: named('flaky') }
}

function specsOf(suites, file, titles = []) {
  return suites.flatMap((suite) => {
    // The outermost suite of each file has the file's name for a title.
    const inner = suite.title === suite.file ? titles : [...titles, suite.title]
    const of = suite.file ?? file
    return [...(suite.specs ?? []).map((spec) => ({ file: of, titles: inner, spec })), ...specsOf(suite.suites ?? [], of, inner)]
  })
}

function line(file, test, message = '') {
  // Playwright colors what it says.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what a color begins with
  const [first, ...rest] = message.replace(/\u001b\[\d+m/g, '').split('\n')
  const where = rest.find((frame) => /^ +at /.test(frame) && !frame.includes('node_modules'))
  return [`${file} › ${test}`, first && `: ${first.slice(0, 300)}`, where && ` (${where.trim()})`].filter(Boolean).join('')
}
