#!/usr/bin/env node
// Writes Tests/Apps/NovaCacheTests/Suite/tests.json: the facts of https://github.com/http-tests/cache-tests (BSD-3-Clause) as
// SuiteTests.swift reads them, one test per line. Run it when the suite changes.
//
// Usage: Tools/cache-suite.mjs <checkout of cache-tests> > Tests/Apps/NovaCacheTests/Suite/tests.json
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

const { default: suites } = await import(pathToFileURL(resolve(process.argv[2], 'tests/index.mjs')))

// Why a test says nothing about a private cache within a client; null if it does.
function leftOut (test) {
  if (test.cdn_only) return 'CDN-Cache-Control is for content delivery networks'
  if (test.id.startsWith('interim-')) return 'the transport does not pass on interim responses'
  if (/s-maxage|smaxage|proxy-revalidate|cc-resp-private-shared/.test(test.id) && test.browser_skip) {
    return 'a rule for shared caches'
  }
  return null
}

const names = {
  request_method: 'method', filename: 'file', query_arg: 'query', request_headers: 'request', response_status: 'status',
  response_headers: 'response', response_body: 'content', response_pause: 'delay', pause_after: 'pause', setup: 'setup',
  disconnect: 'disconnect', magic_locations: 'magicLocations', magic_ims: 'magicDates', rfc850date: 'rfc850',
  expected_type: 'expectedType', expected_status: 'expectedStatus', expected_response_text: 'expectedText',
  expected_response_headers: 'expectedResponse', expected_response_headers_missing: 'missingResponse',
  expected_request_headers: 'expectedRequest', expected_request_headers_missing: 'missingRequest',
  expected_method: 'expectedMethod'
}

function step (request) {
  const result = {}
  for (const [name, short] of Object.entries(names)) if (name in request) result[short] = request[name]
  if (request.response_status) result.status = request.response_status[0]
  if (request.check_body === false) result.ignoresBody = true
  if (request.expected_status === null) result.anyStatus = true
  if (request.expected_response_text === null) result.ignoresBody = true
  if (request.response_body === null) delete result.content
  // What browsers send in this mode.
  if (request.cache === 'no-cache') result.request = [...(result.request ?? []), ['Cache-Control', 'max-age=0']]
  return result
}

const lines = suites.flatMap(suite => suite.tests.map(test => JSON.stringify({
  id: test.id,
  kind: test.kind ?? 'required',
  // The suite's own selection for caches of clients.
  isForClients: !test.cdn_only && !test.browser_skip,
  leftOut: leftOut(test),
  steps: leftOut(test) ? [] : test.requests.map(step)
})))
console.log('[\n' + lines.join(',\n') + '\n]')
