// Summarizes Vitest and Playwright reports: counts, and the names of tests that need attention.

/**
 * @typedef {{ passed: number, failed: number, skipped: number, failures: string[] }} Count
 * `failures` has one line each: file, test, first line of the error.
 */

/** @returns {Count} */
export function countVitest(report, root) {
  const failures = []
  for (const file of report.testResults) {
    const name = file.name.startsWith(`${root}/`) ? file.name.slice(root.length + 1) : file.name
    let failed = false
    for (const test of file.assertionResults) {
      if (test.status !== 'failed') continue
      failed = true
      failures.push(line(name, test.fullName, test.failureMessages[0]))
    }
    // A file that fails before its first test has no test to count.
    if (file.status === 'failed' && !failed) failures.push(line(name, 'the file itself', file.message))
  }
  return {
    passed: report.numPassedTests,
    failed: failures.length,
    skipped: report.numPendingTests + report.numTodoTests,
    failures,
  }
}

/** @returns {Count} */
export function countPlaywright(report) {
  const { expected, unexpected, skipped } = report.stats
  const failures = specsOf(report.suites ?? []).flatMap(({ file, titles, spec }) =>
    spec.tests
      .filter((test) => test.status === 'unexpected')
      .map((test) => line(file, [...titles, spec.title].join(' › '), test.results.find(({ error }) => error)?.error.message)),
  )
  return { passed: expected, failed: unexpected, skipped, failures }
}

function specsOf(suites, file, titles = []) {
  return suites.flatMap((suite) => {
    // The outermost suite of each file is titled with the file's name.
    const inner = suite.title === suite.file ? titles : [...titles, suite.title]
    const of = suite.file ?? file
    return [...(suite.specs ?? []).map((spec) => ({ file: of, titles: inner, spec })), ...specsOf(suite.suites ?? [], of, inner)]
  })
}

function line(file, test, message = '') {
  // Playwright colors its messages.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what a color begins with
  const [first, ...rest] = message.replace(/\u001b\[\d+m/g, '').split('\n')
  const where = rest.find((frame) => /^ +at /.test(frame) && !frame.includes('node_modules'))
  return [`${file} › ${test}`, first && `: ${first.slice(0, 300)}`, where && ` (${where.trim()})`].filter(Boolean).join('')
}
