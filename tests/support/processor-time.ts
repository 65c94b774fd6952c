/** Milliseconds of processor time that the work takes. Unlike elapsed time, it doesn't grow while other programs keep the machine busy. */
export function processorMs(work: () => void): number {
  const before = process.cpuUsage()
  work()
  return process.cpuUsage(before).user / 1000
}
