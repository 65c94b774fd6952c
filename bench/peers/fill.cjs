// Preloaded into NodeBB's process, because its HTTP API can't create users and topics. On SIGUSR2, creates them and writes the posts'
// numbers and the newest topic as JSON to FILLED_FILE.
// biome-ignore-start lint/style/useNodejsImportProtocol: Node.js 12 doesn't support it.
const fs = require('fs')
const { promisify } = require('util')
// biome-ignore-end lint/style/useNodejsImportProtocol: as above

const people = 40
const topics = 200
const repliesEach = 5
const words = 'The second run came down on Sunday and the nose is all lemon peel and diesel, dense and sticky to the touch.'

process.on('SIGUSR2', () => {
  fill().then(
    (filled) => fs.writeFileSync(process.env.FILLED_FILE, JSON.stringify(filled)),
    (error) => {
      console.error(error)
      process.exit(1)
    },
  )
})

async function fill() {
  const main = `${process.cwd()}/src`
  const User = require(`${main}/user`)
  const Topics = require(`${main}/topics`)
  const { config } = require(`${main}/meta`)
  Object.assign(config, { postDelay: 0, initialPostDelay: 0, newbiePostDelay: 0 })
  const createUser = promisify(User.create)
  const post = promisify(Topics.post)
  const reply = promisify(Topics.reply)
  const uids = []
  for (let i = 0; i < people; i++)
    uids.push(await createUser({ username: `grower${i}`, password: process.env.FILLED_PASSWORD, email: `grower${i}@bench.example` }))
  const pids = []
  let newest
  for (let i = 0; i < topics; i++) {
    const { topicData, postData } = await post({
      uid: uids[1 + (i % (people - 1))],
      cid: 2,
      title: `Notes of harvest ${i}`,
      content: words,
      tags: ['harvest'],
    })
    for (let k = 0; k < repliesEach; k++) await reply({ uid: uids[(i + k) % people], tid: topicData.tid, content: words })
    pids.push(postData.pid)
    newest = topicData.slug
  }
  return { pids, newest }
}
