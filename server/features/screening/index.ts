export { businessWords, createWordCheck, personFacts, reasonsOf, refusalsIn, requireClean, type WordCheck } from './check-words.ts'
export { screeningJobs, screeningSchedules, screenWords, type Verdict, type Writer, writerOf } from './screen-words.ts'
