internal import BluethroatMoneyTerms
internal import Foundation
internal import GRDB

extension Ledger {
    /// Makes a transfer or refuses it, once; nil if the ID is that of another order.
    func transfer(_ order: OrderTransfer, from payer: LedgerAccount) throws -> TransferOutcome? {
        let digest = LedgerSchema.digest(BankJSON.encode(order))
        // What was decided stays, also if it would be decided differently by now.
        func decided(_ row: Row) -> TransferOutcome? {
            let isSame = row["payer"] == payer.id.uuidString && row["digest"] == digest
            return isSame ? Self.outcome(row) : nil
        }
        // Asked again, which is often, nothing is locked and no signature is checked.
        if let row = try lookUp({ try row(order.id, $0) }) { return decided(row) }
        let reading = read(order, from: payer)
        var outcome: TransferOutcome?
        try queue.inTransaction(.immediate) { database in
            // Another process may have been asked meanwhile.
            if let row = try row(order.id, database) {
                outcome = decided(row)
                return .rollback
            }
            switch reading {
            case .failure(let refusal):
                outcome = .refused(because: refusal)
                return .rollback
            case .success(let token):
                try limitOrders(of: payer, database)
                outcome = try decide(order, digest, to: token, from: payer, database)
                return .commit
            }
        }
        return outcome
    }

    /// The token of an order that may be made, or why it never can be. That follows from the order alone, so that nothing
    /// has to be kept for the same answer the next time.
    private func read(_ order: OrderTransfer, from payer: LedgerAccount) -> Result<PayeeToken, TransferRefusal> {
        guard let token = try? PayeeToken(order.token, from: publicKey) else { return .failure(.unknownToken) }
        if order.amount.minorUnits <= 0 { return .failure(.noAmount) }
        if order.amount.currency != payer.balance.currency { return .failure(.otherCurrency) }
        return .success(token)
    }

    private func limitOrders(of payer: LedgerAccount, _ database: Database) throws {
        let now = settings.clock()
        let recent = try Int.fetchOne(
            try database.cachedStatement(
                sql: "SELECT COUNT(*) FROM transfer WHERE payer = ? AND time > ? AND time <= ?"
            ),
            arguments: [payer.id.uuidString, now - 60, now]
        )
        guard recent ?? 0 < settings.limits.ordersPerMinute else {
            throw BankDesk.Denial.tooMany("this account has ordered too much in the last minute; ask again later")
        }
    }

    private func decide(
        _ order: OrderTransfer,
        _ digest: Data,
        to payeeToken: PayeeToken,
        from payer: LedgerAccount,
        _ database: Database
    ) throws -> TransferOutcome {
        let payee: LedgerAccount, token: UUID
        switch try self.payee(payeeToken, database) {
        case .failure(let refusal): return try refuse(order, digest, from: payer, refusal, database)
        case .success((let account, let id)): (payee, token) = (account, id)
        }
        // The balance that is in the books now, not the one of when the question came.
        let balance = try Int64.fetchOne(
            try database.cachedStatement(sql: "SELECT balance FROM account WHERE id = ?"),
            arguments: [payer.id.uuidString]
        )
        let refusal: TransferRefusal? =
            if payee.id == payer.id {
                .ownAccount
            } else if order.amount.currency != payee.balance.currency {
                .otherCurrency
            } else if balance ?? 0 < order.amount.minorUnits {
                .insufficientFunds
            } else if let left = try allowance(of: payer, database)?.left, left.minorUnits < order.amount.minorUnits {
                .dailyLimit
            } else {
                nil
            }
        if let refusal { return try refuse(order, digest, from: payer, refusal, database) }
        let receipt = Receipt(
            signing: Receipt.Content(
                transfer: order.id,
                token: token,
                amount: order.amount,
                time: settings.clock(),
                payer: payer.name
            ),
            with: key
        )
        try keep(order, digest, from: payer, to: payee.id.uuidString, receipt.bytes, nil, database)
        try enter(
            order.amount.minorUnits,
            from: payer.id.uuidString,
            to: payee.id.uuidString,
            as: database.lastInsertedRowID,
            database
        )
        return .done(receipt: receipt.bytes, isSeen: false)
    }

    /// What an account may still send today; nil where there is no limit. In the transaction of an order, so that of two
    /// orders at a time one sees the other.
    func allowance(of account: LedgerAccount, _ database: Database) throws -> DailyAllowance? {
        guard let units = settings.limits.unitsPerDay else { return nil }
        let currency = account.balance.currency
        let limit = min(max(units, 0), 1_000_000_000) * Int64(currency.minorUnitsPerUnit)
        let now = settings.clock()
        // Also before 1970.
        let midnight = now - ((now % MoneyDate.day) + MoneyDate.day) % MoneyDate.day
        let sent = try Int64.fetchOne(
            try database.cachedStatement(
                sql: """
                    SELECT COALESCE(SUM(amount), 0) FROM transfer
                    WHERE payer = ? AND refusal IS NULL AND time >= ? AND time < ?
                    """
            ),
            arguments: [account.id.uuidString, midnight, midnight + MoneyDate.day]
        )
        return DailyAllowance(
            limit: Money(minorUnits: limit, currency),
            left: Money(minorUnits: max(0, limit - (sent ?? 0)), currency)
        )
    }

    /// The same, of the books as they are.
    func allowance(of account: LedgerAccount) throws -> DailyAllowance? {
        guard settings.limits.unitsPerDay != nil else { return nil }
        return try lookUp { database in try allowance(of: account, database) }
    }

    /// A refusal that depends on what is in the books is kept: asked again, the order must not be made after all.
    private func refuse(
        _ order: OrderTransfer,
        _ digest: Data,
        from payer: LedgerAccount,
        _ refusal: TransferRefusal,
        _ database: Database
    ) throws -> TransferOutcome {
        try database.cachedStatement(sql: "DELETE FROM transfer WHERE refusal IS NOT NULL AND time < ?").execute(
            arguments: [settings.clock() - settings.limits.refusalMemory]
        )
        let kept = try Int.fetchOne(
            try database.cachedStatement(
                sql: """
                    SELECT COUNT(*) FROM transfer INDEXED BY transferRefuser
                    WHERE payer = ? AND refusal IS NOT NULL
                    """
            ),
            arguments: [payer.id.uuidString]
        )
        guard kept ?? 0 < settings.limits.refusalsPerAccount else {
            throw BankDesk.Denial.tooMany("the bank has refused too many orders of this account; ask again later")
        }
        try keep(order, digest, from: payer, to: nil, nil, refusal, database)
        return .refused(because: refusal)
    }

    private func keep(
        _ order: OrderTransfer,
        _ digest: Data,
        from payer: LedgerAccount,
        to payee: String?,
        _ receipt: Data?,
        _ refusal: TransferRefusal?,
        _ database: Database
    ) throws {
        try database.cachedStatement(
            sql: """
                INSERT INTO transfer (id, payer, digest, amount, currency, refusal, payee, receipt, time)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                """
        ).execute(arguments: [
            order.id.uuidString, payer.id.uuidString, digest, order.amount.minorUnits,
            order.amount.currency.code, refusal?.rawValue, payee, receipt, settings.clock(),
        ])
    }

    private func row(_ transfer: UUID, _ database: Database) throws -> Row? {
        try Row.fetchOne(
            try database.cachedStatement(sql: "SELECT * FROM transfer WHERE id = ?"),
            arguments: [transfer.uuidString]
        )
    }

    private static func outcome(_ row: Row) -> TransferOutcome? {
        if let refusal = (row["refusal"] as String?).flatMap(TransferRefusal.init) { return .refused(because: refusal) }
        return (row["receipt"] as Data?).map { .done(receipt: $0, isSeen: row["isSeen"]) }
    }

    // MARK: What the recipient asks

    private static let incoming = """
        SELECT transfer.number, transfer.id, transfer.amount, transfer.currency, transfer.receipt, account.name
        FROM transfer JOIN account ON account.id = transfer.payer
        WHERE transfer.payee = ? AND transfer.digest != x''
        """

    func incoming(_ transfer: UUID, to account: LedgerAccount) throws -> IncomingTransfer? {
        try lookUp { database in
            try Row.fetchOne(
                try database.cachedStatement(sql: Self.incoming + " AND transfer.id = ?"),
                arguments: [account.id.uuidString, transfer.uuidString]
            ).map { try IncomingTransfer($0) }
        }
    }

    func incoming(after number: Int64, to account: LedgerAccount) throws -> [IncomingTransfer] {
        try lookUp { database in
            try Row.fetchAll(
                try database.cachedStatement(
                    sql: Self.incoming + " AND transfer.number > ? ORDER BY transfer.number LIMIT 100"
                ),
                arguments: [account.id.uuidString, number]
            ).map { try IncomingTransfer($0) }
        }
    }

    func noteSeen(upTo number: Int64, by account: LedgerAccount) throws {
        try queue.write { database in
            try database.cachedStatement(
                sql: "UPDATE transfer SET isSeen = 1 WHERE payee = ? AND number <= ? AND isSeen = 0"
            ).execute(arguments: [account.id.uuidString, number])
        }
    }
}

extension IncomingTransfer {
    fileprivate init(_ row: Row) throws {
        guard let id = UUID(uuidString: row["id"]), let currency = Currency(row["currency"]) else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "a transfer is not readable")
        }
        self.init(
            number: row["number"],
            id: id,
            amount: Money(minorUnits: row["amount"], currency),
            payer: row["name"],
            receipt: row["receipt"]
        )
    }
}
