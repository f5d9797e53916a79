import { expect, test } from 'vitest'
import { missingVariables } from '../../src/kit/template-variables.ts'

const scope = { name: 'Ada', none: null, empty: '', zero: 0, profile: { tier: 'gold' }, list: [{ title: 'A' }], data: { name: 'Ada' } }

test.each([
  ['no tags', []],
  ['{{ name }}{{ data.name }}{{ zero }}{{ empty }}{{ profile.tier }}', []],
  ['{{ town }} {{ none }} {{ profile.level }} {{ town.size }}', ['town', 'town.size', 'none', 'profile.level']],
  ['{{ town }}{{ town }}', ['town']],
  ['{{ town ?? "here" }}{{ none | upcase | default: "x" }}', []],
  ['{{ town ?? "here" }}{% if name %}{{ town }}{% endif %}', ['town']],
  ['{% for one in list %}{{ one.title }}{{ forloop.index }}{{ other }}{{ third ?? 3 }}{% endfor %}', ['other']],
  ['{% if vip %}x{% endif %}{% assign q = vip %}{{ q }}', ['vip']],
  ['{{ list.size }}{{ list.first.title }}{{ list[0].title }}{{ name.size }}', []],
  ['{{ profile[key] }}', ['key']],
  ['{{ constructor }}{{ profile.toString }}', ['constructor', 'profile.toString']],
  ['{% capture x %}{{ gone }}{% endcapture %}{{ x }}', ['gone']],
])('%s', (source, missing) => {
  expect(missingVariables(source, scope)).toEqual(missing)
})
