export { reasonsOf } from './reasons.ts'
export { screenWords, type Verdict } from './screen-words.ts'
export { screeningJobs, screeningSchedules } from './screening.jobs.ts'
export { type Writer, writerOf } from './writer.ts'
