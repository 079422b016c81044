import Base
import CCurl
import Glibc

/// Takes what a transfer brings; on the loader's thread.
protocol TransferReceiver: AnyObject {
    /// A whole head of a final response is here. Returns false to end the transfer.
    func transferReceivedHead(_ transfer: Transfer) -> Bool

    /// Bytes of the body, which are gone when this returns.
    func transfer(_ transfer: Transfer, received bytes: UnsafeRawBufferPointer) -> Transfer.Verdict

    /// The transfer is over; it is never told of one that was cancelled.
    func transfer(_ transfer: Transfer, ended outcome: TransferOutcome)
}

/// One request by curl, and its response; confined to the loader's thread.
@safe final class Transfer {
    enum Verdict {
        case taken
        /// Nothing of it was taken: the same bytes come again after `resume`.
        case pause
        case stop
    }

    let request: LoadingRequest
    private(set) var head = ResponseHead()
    /// True between a verdict of `pause` and `resume`.
    private(set) var isPaused = false
    /// When the last byte came, or the transfer began.
    private(set) var lastActivity = MonotonicTime.now
    /// The transfer's own socket; nil while there is none, when several were tried, or when it is an older one.
    private var socket: curl_socket_t?
    private var socketsOpened = 0
    private var gathered: Int32 = 1
    /// Bytes a second that it may take; 0 for any number.
    private var rate: Int64 = 0
    /// When what it took by now is what its rate allows.
    private var earned = MonotonicTime.now
    /// When it takes bytes again; nil while it does.
    private(set) var restEnd: MonotonicTime?
    /// True when an address was refused that this request must not be led to.
    private(set) var wasDenied = false
    /// Counts every byte that comes in.
    var count: (Int) -> Void = { _ in }
    private(set) weak var receiver: (any TransferReceiver)?

    /// True while a challenge of Digest (401) is held back: curl may answer it by itself.
    private var isHeadHeld = false
    private var wasChallenged = false

    private let easy: CurlHandle
    private var isReleased = false
    // Safe because the handle and the lists live as long as this owner, and curl copies the strings it is given.
    let handle: UnsafeMutableRawPointer
    private var lists: [UnsafeMutablePointer<curl_slist>] = unsafe []
    private let errorText: UnsafeMutablePointer<CChar>

    /// Prepares a request; it begins when a loop takes it. Throws when there is no memory for it.
    init(
        _ request: LoadingRequest, _ settings: LoaderSettings, receiver: any TransferReceiver,
        handle easy: CurlHandle? = CurlHandle()
    ) throws(PlaybackFailure) {
        guard let easy else {
            throw PlaybackFailure(
                .internal, "\(request.url.masked) cannot be loaded: no memory for a transfer.")
        }
        self.easy = easy
        unsafe handle = easy.raw
        unsafe errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
        unsafe errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        self.request = request
        self.receiver = receiver
        setUp(settings)
        setUpRequest(settings)
        setUpCallbacks()
    }

    deinit {
        if !isReleased { detach() }
        for index in unsafe lists.indices { unsafe jb_curl_slist_free_all(lists[index]) }
        unsafe errorText.deallocate()
    }

    // MARK: Options

    /// An option that this libcurl does not have is left out: each has a default that is safe.
    private func set(_ option: CURLoption, _ value: Int) {
        unsafe _ = jb_curl_set_long(handle, option, value)
    }
    private func set(_ option: CURLoption, _ text: String) {
        unsafe _ = jb_curl_set_text(handle, option, text)
    }

    private func setUp(_ settings: LoaderSettings) {
        set(CURLOPT_NOSIGNAL, 1)
        set(CURLOPT_PROTOCOLS_STR, "http,https")
        set(CURLOPT_FOLLOWLOCATION, 0)
        // HTTP/2 has no ICY, and a paused stream of it holds up the others of its connection.
        set(CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_1)
        set(CURLOPT_HTTP09_ALLOWED, 1)
        set(CURLOPT_CONNECTTIMEOUT_MS, Int(clamping: settings.connectTimeout.nanoseconds / 1_000_000))
        set(CURLOPT_BUFFERSIZE, 65_536)
        if let authorities = settings.authorities { set(CURLOPT_CAINFO, authorities) }
        unsafe jb_curl_set_quick_exit(handle)
        unsafe _ = jb_curl_set_pointer(handle, CURLOPT_ERRORBUFFER, errorText)
        setList(CURLOPT_HTTP200ALIASES, ["ICY "])
    }

    private func setUpRequest(_ settings: LoaderSettings) {
        set(CURLOPT_URL, request.url.request)
        // Nothing is asked for compressed (the header says so), but what is sent so gets decoded.
        set(CURLOPT_ACCEPT_ENCODING, "")
        set(CURLOPT_IGNORE_CONTENT_LENGTH, request.quirks.ignoresLength ? 1 : 0)
        set(CURLOPT_HTTP_CONTENT_DECODING, request.quirks.ignoresEncoding ? 0 : 1)
        // Set each time: a handle may have been used for the other before.
        set(CURLOPT_HTTPGET, 1)
        unsafe _ = jb_curl_set_text(handle, CURLOPT_CUSTOMREQUEST, nil)
        if request.isFolder {
            set(CURLOPT_COPYPOSTFIELDS, LoadingRequest.folderQuestion)
            set(CURLOPT_CUSTOMREQUEST, "PROPFIND")
        }
        setUp(request.credentials)
        setUpCookies()
        set(CURLOPT_USERAGENT, request.credentials.userAgent ?? settings.userAgent)
        setList(CURLOPT_HTTPHEADER, request.lines)
    }

    private func setUp(_ credentials: RequestCredentials) {
        if let login = credentials.login {
            // Basic is sent at once, without waiting to be asked for it (CURLOPT_HTTPAUTH(3): 1, Digest 2).
            set(CURLOPT_HTTPAUTH, credentials.isDigest ? 2 : 1)
            set(CURLOPT_USERNAME, login.user)
            set(CURLOPT_PASSWORD, login.password)
        }
        if let referer = credentials.referer { set(CURLOPT_REFERER, referer) }
        if let certificate = credentials.clientCertificate {
            set(CURLOPT_SSLCERT, certificate)
            set(CURLOPT_SSLKEY, credentials.clientKey ?? certificate)
        }
    }

    /// Lets curl take cookies; what the user gave for one stays as it is.
    private func setUpCookies() {
        guard !request.credentials.headers.contains(where: { $0.0.lowercased() == "cookie" }) else { return }
        set(CURLOPT_COOKIEFILE, "")
        for cookie in request.cookies { set(CURLOPT_COOKIELIST, cookie) }
    }

    private func setList(_ option: CURLoption, _ lines: [String]) {
        var list: UnsafeMutablePointer<curl_slist>?
        for line in lines {
            guard let longer = unsafe jb_curl_slist_append(list, line) else { continue }
            unsafe list = unsafe longer
        }
        guard let list = unsafe list else { return }
        unsafe lists.append(list)
        unsafe _ = jb_curl_set_list(handle, option, list)
    }

    private func setUpCallbacks() {
        // Safe because the handle, which holds the pointer, goes before this object does.
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        unsafe _ = jb_curl_set_bytes(handle, CURLOPT_HEADERFUNCTION, transferHeader)
        unsafe _ = jb_curl_set_pointer(handle, CURLOPT_HEADERDATA, context)
        unsafe _ = jb_curl_set_bytes(handle, CURLOPT_WRITEFUNCTION, transferBody)
        unsafe _ = jb_curl_set_pointer(handle, CURLOPT_WRITEDATA, context)
        unsafe _ = jb_curl_set_socket(handle, CURLOPT_OPENSOCKETFUNCTION, transferSocket)
        unsafe _ = jb_curl_set_pointer(handle, CURLOPT_OPENSOCKETDATA, context)
    }

    /// Gives the handle away, with what it knows of its server; nothing can be asked of the transfer after that.
    func release() -> CurlHandle {
        isReleased = true
        detach()
        return easy
    }

    /// Lets the handle forget what is freed with this object.
    private func detach() {
        for option in [CURLOPT_HTTPHEADER, CURLOPT_HTTP200ALIASES] {
            unsafe _ = jb_curl_set_list(handle, option, nil)
        }
        for option in [
            CURLOPT_ERRORBUFFER, CURLOPT_HEADERDATA, CURLOPT_WRITEDATA, CURLOPT_OPENSOCKETDATA,
        ] {
            unsafe _ = jb_curl_set_pointer(handle, option, nil)
        }
    }

    // MARK: What curl calls

    fileprivate func addHeader(_ line: UnsafeRawBufferPointer) -> Bool {
        note(line.count)
        if isHeadHeld, unsafe line.starts(with: "HTTP/".utf8) {
            isHeadHeld = false
            head = ResponseHead()
        }
        let wasComplete = head.isComplete
        guard head.add(unsafe Array(line)) else { return false }
        guard head.isComplete, !wasComplete else { return true }
        if request.quirks.ignoresEncoding { head.isEncodingIgnored = true }
        if request.credentials.isDigest, head.status == 401, !wasChallenged {
            wasChallenged = true
            isHeadHeld = true
            return true
        }
        return receiver?.transferReceivedHead(self) ?? false
    }

    /// Tells the receiver of a challenge that curl had no answer to; true when it wants its body.
    @discardableResult func tellHeldHead() -> Bool {
        guard isHeadHeld else { return true }
        isHeadHeld = false
        return receiver?.transferReceivedHead(self) ?? false
    }

    fileprivate func addBody(_ bytes: UnsafeRawBufferPointer) -> Int {
        // Counted first: whoever sees the bytes sees them counted.
        note(bytes.count)
        guard tellHeldHead() else { return 0 }
        if rate > 0, earned > .now {
            count(-bytes.count)
            restEnd = earned
            return Int(CURL_WRITEFUNC_PAUSE)
        }
        let verdict = unsafe receiver?.transfer(self, received: bytes) ?? .stop
        switch verdict {
        case .taken:
            if rate > 0 {
                earned = max(earned, .now) + .nanoseconds(Int64(bytes.count) * 1_000_000_000 / rate)
            }
            return bytes.count
        case .pause:
            // They come again.
            count(-bytes.count)
            isPaused = true
            return Int(CURL_WRITEFUNC_PAUSE)
        case .stop: return 0
        }
    }

    private func note(_ bytes: Int) {
        lastActivity = .now
        count(bytes)
    }

    fileprivate func openSocket(_ address: UnsafeMutablePointer<curl_sockaddr>) -> curl_socket_t {
        if !request.mayBeLocal, unsafe jb_curl_address_is_local(address) != 0 {
            wasDenied = true
            return -1
        }
        let fd = unsafe jb_curl_open_socket(address)
        socketsOpened += 1
        socket = socketsOpened == 1 && fd >= 0 ? fd : nil
        return fd
    }

    // MARK: What its owner asks

    /// Lets the bytes flow again; they may come within this call.
    func resume() {
        isPaused = false
        lastActivity = .now
        _ = unsafe jb_curl_easy_pause(handle, CURLPAUSE_CONT)
    }

    /// Lets so many bytes gather before the thread is woken for them, 1 for none; the connection's end is told
    /// at once all the same.
    func gather(_ bytes: Int32) {
        guard let socket, bytes != gathered else { return }
        gathered = bytes
        jb_curl_gather(socket, bytes)
    }

    /// Takes no more bytes a second than that, 0 for any number. curl's own limit lets megabytes pass at once.
    func limit(_ rate: Int64) {
        guard rate != self.rate else { return }
        self.rate = rate
        earned = .now
        if restEnd != nil { endRest() }
    }

    /// Takes bytes again; they may come within this call.
    func endRest() {
        restEnd = nil
        resume()
    }

    /// Begins the count of silence anew.
    func keepWaiting() { lastActivity = .now }

    /// Where a redirect leads, made absolute; nil when there is no such place.
    var redirect: String? {
        guard let location = head.bytes("location"), let url = unsafe jb_curl_url() else { return nil }
        defer { unsafe jb_curl_url_cleanup(url) }
        // What is set second is taken as relative to what was set first (curl_url_set(3)).
        let flags = UInt32(CURLU_NON_SUPPORT_SCHEME)
        var text: UnsafeMutablePointer<CChar>?
        guard unsafe jb_curl_url_set(url, CURLUPART_URL, request.url.request, flags) == CURLUE_OK,
            unsafe jb_curl_url_set(url, CURLUPART_URL, PercentEncoding.repaired(location), flags)
                == CURLUE_OK,
            unsafe jb_curl_url_get(url, CURLUPART_URL, &text, 0) == CURLUE_OK, let text = unsafe text
        else { return nil }
        defer { unsafe jb_curl_free(text) }
        return unsafe String(cString: text)
    }

    /// The cookies that the server has set by now, with those that it was sent.
    var cookies: [String] {
        guard let first = unsafe jb_curl_cookies(handle) else { return [] }
        defer { unsafe jb_curl_slist_free_all(first) }
        var lines: [String] = []
        var next: UnsafeMutablePointer<curl_slist>? = unsafe first
        while let line = unsafe next {
            unsafe lines.append(String(cString: line.pointee.data))
            unsafe next = line.pointee.next
        }
        return lines
    }

    /// True when the other end has a loopback or link-local address.
    var isLocal: Bool {
        guard let address = unsafe jb_curl_text(handle, CURLINFO_PRIMARY_IP) else { return false }
        return unsafe jb_curl_text_is_local(address) != 0
    }

    /// True once the request was sent, so that silence is the server's.
    var isConnected: Bool { unsafe jb_curl_number(handle, CURLINFO_PRETRANSFER_TIME_T) > 0 }

    /// True when connecting failed for want of a network on this machine.
    var lacksNetwork: Bool {
        let code = unsafe jb_curl_system_error(handle)
        return code == ENETUNREACH || code == ENETDOWN || code == EADDRNOTAVAIL
    }

    /// Reads curl's result.
    func outcome(_ result: CURLcode) -> TransferOutcome {
        unsafe TransferOutcome(result, detail: String(cString: errorText))
    }
}

// Safe because curl passes as many bytes as it says, and the context that was set with the function.
private func transferHeader(
    _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?
) -> Int {
    guard let bytes = unsafe bytes, let context = unsafe context else { return 0 }
    let transfer = unsafe Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
    let isTaken = unsafe transfer.addHeader(UnsafeRawBufferPointer(start: bytes, count: size * count))
    return isTaken ? size * count : 0
}

// Safe as above.
private func transferBody(
    _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?
) -> Int {
    guard let bytes = unsafe bytes, let context = unsafe context else { return 0 }
    let transfer = unsafe Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
    return unsafe transfer.addBody(UnsafeRawBufferPointer(start: bytes, count: size * count))
}

// Safe as above.
private func transferSocket(
    _ context: UnsafeMutableRawPointer?, _ purpose: curlsocktype,
    _ address: UnsafeMutablePointer<curl_sockaddr>?
) -> curl_socket_t {
    guard let address = unsafe address, let context = unsafe context else { return -1 }
    return unsafe Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue().openSocket(address)
}
