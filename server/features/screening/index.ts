export { businessWords, createWordCheck, personFacts, reasonsOf, refusalsIn, requireClean, type WordCheck } from './check-words.ts'
export { screenWords, type Verdict, type Writer, writerOf } from './screen-words.ts'
export { screeningJobs, screeningSchedules } from './screening.jobs.ts'
