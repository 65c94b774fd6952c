/** In milliseconds. Unlike elapsed time, processor time doesn't grow while other programs keep the machine busy. */
export function processorMs(work: () => void): number {
  const before = process.cpuUsage()
  work()
  return process.cpuUsage(before).user / 1000
}
